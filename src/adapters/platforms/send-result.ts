import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import type { Sent } from "../../core/platform.ts";
import { type Answered, isTaken, isWorthAnother } from "../io/post.ts";

const WHY_CHARS = 200;

export type SendFailure = Extract<Sent, { is: "failed" }>;

/** The result of sending, judged by the HTTP status alone. */
export function sendResult(answered: Answered): Sent {
  if (answered.is === "failed") return answered;
  const { status, retryAfterMs } = answered;
  if (isTaken(status)) return { is: "sent" };
  return sendFailure(`HTTP ${status}`, isWorthAnother(status), retryAfterMs);
}

/** A failure with the platform's own message, which may contain anything. */
export const sendFailure = (why: string, again: boolean, afterMs: number | null): SendFailure => ({
  is: "failed",
  why: shorten(printable(why), WHY_CHARS),
  again,
  ...(again && afterMs !== null ? { afterMs } : {}),
});
