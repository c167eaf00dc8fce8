import { messageOf } from "../../core/errors.ts";
import type { OutgoingMessage, Platform, Sent } from "../../core/platform.ts";
import { pause } from "../io/timer.ts";
import { split } from "./split.ts";

/** How hard a message is tried. */
export interface DeliveryLimits {
  /** Tries that fail without a word on when to come back. */
  tries: number;
  firstPauseMs: number;
  /** How long a message may take in all; who asks for more than is left is not waited for. */
  withinMs: number;
}

export const DELIVERY_LIMITS: DeliveryLimits = { tries: 3, firstPauseMs: 500, withinMs: 60_000 };
/** For what a person has to know: how a run has ended. */
export const CRITICAL_DELIVERY_LIMITS: DeliveryLimits = { tries: 8, firstPauseMs: 500, withinMs: 600_000 };
const LONGEST_PAUSE_MS = 60_000;

/**
 * Sends a message in as many pieces as it takes, each after the one before. Returns what went wrong, or null. Where a
 * piece cannot be sent the rest is not: a text with a hole would be taken for another one.
 */
export async function deliver(
  platform: Platform,
  message: OutgoingMessage,
  patience: DeliveryLimits,
  quit: AbortSignal,
): Promise<string | null> {
  const lastMs = Date.now() + patience.withinMs;
  const pieces = split(message.content, platform.maxChars);
  for (const [i, content] of pieces.entries()) {
    const why = await deliverPiece(platform, { ...message, content }, { ...patience, lastMs, quit });
    if (why !== null) return pieces.length > 1 ? `${why} (part ${i + 1} of ${pieces.length})` : why;
  }
  return null;
}

interface Trying extends DeliveryLimits {
  lastMs: number;
  quit: AbortSignal;
}

async function deliverPiece(platform: Platform, message: OutgoingMessage, trying: Trying): Promise<string | null> {
  const { tries, firstPauseMs, lastMs, quit } = trying;
  let failures = 0;
  for (let sends = 1; ; sends++) {
    const sent = await sendOnce(platform, message, quit);
    if (sent.is === "sent") return null;
    const { why, again, afterMs } = sent;
    if (afterMs === undefined) failures++;
    const after = sends > 1 ? `, after ${sends} tries` : "";
    if (!again || failures >= tries) return `${why}${after}`;
    const backoffMs = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 3 ** Math.max(0, failures - 1));
    const pauseMs = Math.max(backoffMs, afterMs ?? 0);
    if (Date.now() + pauseMs > lastMs)
      return `${why}${after}, and to wait ${Math.ceil(pauseMs / 1_000)}s more is too long`;
    await pause(pauseMs, quit);
    if (quit.aborted) return `${why}, then cut short`;
  }
}

/** Whatever a platform does, the loop goes on. */
async function sendOnce(platform: Platform, message: OutgoingMessage, quit: AbortSignal): Promise<Sent> {
  try {
    return await platform.sendMessage(message, quit);
  } catch (error) {
    return { is: "failed", why: messageOf(error), again: false };
  }
}
