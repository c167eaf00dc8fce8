import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import type { Sent } from "../../core/platform.ts";
import { type Answered, isTaken, isWorthAnother } from "../io/post.ts";

const WHY_CHARS = 200;

export type SendFailure = Extract<Sent, { is: "failed" }>;

/** What came of sending, as far as the status tells. */
export function sentBy(answered: Answered): Sent {
  if (answered.is === "failed") return answered;
  const { status, retryAfterMs } = answered;
  if (isTaken(status)) return { is: "sent" };
  return failed(`HTTP ${status}`, isWorthAnother(status), retryAfterMs);
}

/** A failure in words of the platform, which may hold anything. */
export const failed = (why: string, again: boolean, afterMs: number | null): SendFailure => ({
  is: "failed",
  why: shorten(printable(why), WHY_CHARS),
  again,
  ...(again && afterMs !== null ? { afterMs } : {}),
});
