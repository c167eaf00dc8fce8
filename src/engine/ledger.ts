import { RalphError } from "../core/errors.ts";
import type { Entry, LoopEvent } from "../core/loop/events.ts";
import { reduce } from "../core/loop/reduce.ts";
import type { LoopState } from "../core/loop/state.ts";
import { foreignDetail } from "../core/loop/words.ts";
import type { Foreign, LoadedLoop, Written } from "../core/store.ts";
import type { EnginePorts } from "./ports.ts";

/** A loop's state together with the facts that are not written yet. */
export interface Ledger {
  readonly state: LoopState;
  /** What the next `flush` writes. */
  readonly pending: readonly Entry[];
  /** Takes a fact into the state; it becomes durable with the next `flush`. */
  note(event: LoopEvent): void;
  /**
   * Writes what was noted, in one transaction, and returns it. To be called before anything is done to the world. Where
   * another process wrote into the journal the loop has stopped after it.
   */
  flush(): Promise<readonly Entry[]>;
}

type LedgerPorts = Pick<EnginePorts, "now" | "store"> & Partial<Pick<EnginePorts, "holdsLease">>;

export function openLedger(loop: LoadedLoop, ports: LedgerPorts): Ledger {
  let { state, seq, seal } = loop;
  let durable = state;
  let pending: Entry[] = [];

  function note(event: LoopEvent): void {
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
  }

  /** What the driver learnt stays true; that the loop is done does not follow from it any more. */
  function close({ entry, found }: Foreign): Written {
    const learnt = pending.map(({ event }) => event).filter(({ type }) => !CONCLUSIONS.has(type));
    pending = [];
    state = durable;
    for (const event of learnt) note(event);
    note({ type: "journal.foreign", entry, found });
    note({ type: "loop.stopped", reason: "tampered", detail: foreignDetail({ entry, found }) });
    return { entries: pending, state };
  }

  async function write(): Promise<void> {
    const fence = { seq, epoch: loop.epoch, seal };
    try {
      seal = await ports.store.append(fence, pending, state);
    } catch (error) {
      if (!isForeign(error, ports)) throw error;
      ({ seal } = await ports.store.disown(fence, close));
    }
  }

  return {
    get state() {
      return state;
    },
    get pending() {
      return pending;
    },
    note,
    async flush() {
      if (pending.length === 0) return pending;
      await write();
      const written = pending;
      seq += written.length;
      durable = state;
      pending = [];
      return written;
    },
  };
}

const CONCLUSIONS: ReadonlySet<LoopEvent["type"]> = new Set(["loop.stopped", "receipt.made"]);

/** While a driver has the lease, no other process can have continued the loop, whatever the journal says. */
function isForeign(error: unknown, { holdsLease }: LedgerPorts): boolean {
  if (!(error instanceof RalphError) || !holdsLease) return false;
  return error.code === "journal-foreign" || (error.code === "fenced" && holdsLease());
}
