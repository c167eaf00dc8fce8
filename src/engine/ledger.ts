import type { Entry, LoopEvent } from "../core/loop/events.ts";
import { reduce } from "../core/loop/reduce.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/store.ts";
import type { EnginePorts } from "./ports.ts";

/** A loop's state together with the facts that are not written yet. */
export interface Ledger {
  readonly state: LoopState;
  /** Takes a fact into the state; it becomes durable with the next `flush`. */
  note(event: LoopEvent): void;
  /** Writes what was noted, in one transaction, and returns it. To be called before anything is done to the world. */
  flush(): Promise<readonly Entry[]>;
}

export function openLedger(loop: LoadedLoop, ports: Pick<EnginePorts, "now" | "store">): Ledger {
  let { state, seq } = loop;
  let pending: Entry[] = [];
  return {
    get state() {
      return state;
    },
    note(event) {
      const entry: Entry = {
        loop: loop.id,
        seq: seq + pending.length + 1,
        epoch: loop.epoch,
        // A clock that was set back must not make time run backwards in the journal.
        atMs: Math.max(ports.now(), state.atMs),
        event,
      };
      pending.push(entry);
      state = reduce(state, entry);
    },
    async flush() {
      const written = pending;
      if (written.length === 0) return written;
      await ports.store.append({ seq, epoch: loop.epoch }, written, state);
      seq += written.length;
      pending = [];
      return written;
    },
  };
}
