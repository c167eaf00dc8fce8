import { type TellQueue, tellQueue } from "../core/bounded-queue.ts";
import type { NoticeFacts } from "../core/loop/notices.ts";

/** More than this means that a recipient is slower than the loop. */
const MOST_WAITING = 50;

/** The notices of one recipient, told one after the other beside the loop. */
export type NoticeQueue = TellQueue<NoticeFacts>;

/** `tell` never throws and deals with its failures itself. */
export const noticeQueue = (tell: (facts: NoticeFacts) => Promise<void>): NoticeQueue =>
  tellQueue({ tell, most: MOST_WAITING, isMinor: isIteration });

/** What matters least. */
export const isIteration = ({ notice }: NoticeFacts): boolean => notice === "iteration";
