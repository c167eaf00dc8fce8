import { type TellQueue, tellQueue } from "../core/bounded-queue.ts";
import type { NoticeFacts } from "../core/loop/notices.ts";

const MOST_WAITING = 50;

/** The notices of one recipient, sent one by one in the background. */
export type NoticeQueue = TellQueue<NoticeFacts>;

/** `tell` never throws and deals with its failures itself. */
export const noticeQueue = (tell: (facts: NoticeFacts) => Promise<void>): NoticeQueue =>
  tellQueue({ tell, most: MOST_WAITING, isMinor: isIteration });

/** Iteration notices are dropped first. */
export const isIteration = ({ notice }: NoticeFacts): boolean => notice === "iteration";
