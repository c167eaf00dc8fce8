import type { StopRequest } from "../core/loop/events.ts";
import type { StopSource } from "../engine/ports.ts";
import type { Stops } from "../io/ending.ts";

/** One place for every wish to stop: signals of the terminal and commands of other processes. */
export interface StopControl extends Stops, StopSource {
  /** The first wish ends the work at hand gently; a second one at once. */
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
