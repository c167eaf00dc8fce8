import type { StopRequest } from "../core/loop/events.ts";
import type { StopSource } from "./ports.ts";

/** Collects every stop request: terminal signals and commands of other processes. */
export interface StopControl extends StopSource {
  /** Ends the current work gracefully. */
  soft: AbortSignal;
  /** Ends the current work immediately. */
  hard: AbortSignal;
  /** The first request ends the current work gracefully, the second one immediately. */
  ask(request: StopRequest): void;
}

export function stopControl(): StopControl {
  const soft = new AbortController();
  const hard = new AbortController();
  let first: StopRequest | null = null;
  return {
    soft: soft.signal,
    hard: hard.signal,
    request: () => first,
    ask(request) {
      if (first) return hard.abort();
      first = request;
      soft.abort();
    },
  };
}
