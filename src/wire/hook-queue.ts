import type { NoticeFacts } from "../core/loop/notices.ts";

/** More than this means that a hook is slower than the loop. */
const MOST_WAITING = 50;

/** The notices of one hook, told one after the other beside the loop. */
export interface HookQueue {
  /** Those on their way or waiting for their turn. */
  readonly pending: number;
  readonly dropped: number;
  add(facts: NoticeFacts): void;
  /** Leaves out what waits: all of it, or only the least important. */
  drop(which: "all" | "iterations"): void;
  /** Resolves once nothing is pending. */
  idle(): Promise<void>;
}

/** `tell` never throws and deals with its failures itself. */
export function hookQueue(tell: (facts: NoticeFacts) => Promise<void>): HookQueue {
  let waiting: NoticeFacts[] = [];
  let dropped = 0;
  let working: Promise<void> | null = null;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await tell(next);
    working = null;
  };
  const keep = (kept: NoticeFacts[]) => {
    dropped += waiting.length - kept.length;
    waiting = kept;
  };
  return {
    get pending() {
      return waiting.length + (working ? 1 : 0);
    },
    get dropped() {
      return dropped;
    },
    add(facts) {
      waiting.push(facts);
      if (waiting.length > MOST_WAITING) keep(waiting.toSpliced(leastImportant(waiting), 1));
      working ??= work();
    },
    drop: (which) => keep(which === "all" ? [] : waiting.filter(({ notice }) => notice !== "iteration")),
    idle: async () => {
      await working;
    },
  };
}

/** The oldest iteration; where none waits, the oldest of all. */
const leastImportant = (waiting: readonly NoticeFacts[]): number =>
  Math.max(
    0,
    waiting.findIndex(({ notice }) => notice === "iteration"),
  );
