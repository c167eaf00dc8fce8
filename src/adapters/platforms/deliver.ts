import { messageOf } from "../../core/errors.ts";
import type { Outbound, OutgoingMessage, Sent } from "../../core/platform.ts";
import { pause } from "../io/timer.ts";
import { split } from "./split.ts";

export interface Retries {
  /** Attempts, not counting those for which the platform named a time to retry. */
  tries: number;
  firstPauseMs: number;
  /** The total time for a message. If a platform asks for a longer wait, sending stops. */
  withinMs: number;
}

export const RETRIES: Retries = { tries: 3, firstPauseMs: 500, withinMs: 60_000 };
/** For the result of a run, which users need to know. */
export const CRITICAL_RETRIES: Retries = { tries: 8, firstPauseMs: 500, withinMs: 600_000 };
const LONGEST_PAUSE_MS = 60_000;

/** Sends a message in pieces. Returns the error, or null. It stops at a failed piece: a gap could be misread. */
export async function deliver(
  outbound: Outbound,
  message: OutgoingMessage,
  retries: Retries,
  quit: AbortSignal,
): Promise<string | null> {
  const lastMs = Date.now() + retries.withinMs;
  const pieces = split(message.content, outbound.maxChars);
  for (const [i, content] of pieces.entries()) {
    const why = await deliverPiece(outbound, { ...message, content }, { ...retries, lastMs, quit });
    if (why !== null) return pieces.length > 1 ? `${why} (part ${i + 1} of ${pieces.length})` : why;
  }
  return null;
}

interface Trying extends Retries {
  lastMs: number;
  quit: AbortSignal;
}

async function deliverPiece(outbound: Outbound, message: OutgoingMessage, trying: Trying): Promise<string | null> {
  const { tries, firstPauseMs, lastMs, quit } = trying;
  let failures = 0;
  for (let sends = 1; ; sends++) {
    const sent = await sendOnce(outbound, message, quit);
    if (sent.is === "sent") return null;
    const { why, again, afterMs } = sent;
    if (afterMs === undefined) failures++;
    const after = sends > 1 ? `, after ${sends} tries` : "";
    if (!again || failures >= tries) return `${why}${after}`;
    const backoffMs = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 3 ** Math.max(0, failures - 1));
    const pauseMs = Math.max(backoffMs, afterMs ?? 0);
    if (Date.now() + pauseMs > lastMs)
      return `${why}${after}, and waiting ${Math.ceil(pauseMs / 1_000)}s more would take too long`;
    await pause(pauseMs, quit);
    if (quit.aborted) return `${why}, then stopped`;
  }
}

/** A platform that throws must not stop the run. */
async function sendOnce(outbound: Outbound, message: OutgoingMessage, quit: AbortSignal): Promise<Sent> {
  try {
    return await outbound.send(message, quit);
  } catch (error) {
    return { is: "failed", why: messageOf(error), again: false };
  }
}
