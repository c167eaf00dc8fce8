import type { StopRequest } from "../core/loop/events.ts";
import type { StopSource } from "./ports.ts";

/** One place for every request to stop: signals of the terminal and commands of other processes. */
export interface StopControl extends StopSource {
  /** Ends the work gently. */
  soft: AbortSignal;
  /** Ends it at once. */
  hard: AbortSignal;
  /** The first request ends the current work gently; a second one at once. */
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
