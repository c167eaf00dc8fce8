import { EXIT, RalphError } from "../core/errors.ts";
import type { Journals, Loaded, Seal } from "../core/journals.ts";
import type { Lease } from "../core/lease.ts";
import { epochOf, type JournalChange, type JournalTypes, type Kind } from "../core/subject.ts";

/** A subject's journal, plus entries that are not durable yet. */
export interface LedgerDraft<T extends JournalTypes> {
  /** The durable part. */
  readonly base: Loaded<T["state"]>;
  /** The changes that are not durable yet. */
  readonly pending: readonly JournalChange<T>[];
  /** The state after all pending changes. */
  readonly state: T["state"];
  /** Adds a pending event. Throws if it cannot follow the current state. */
  note(event: T["event"]): void;
  /** Marks these changes, the first pending ones, as durable. */
  settle(written: readonly JournalChange<T>[], seal: Seal): void;
  /** Replaces all pending changes by these events. */
  restart(events: readonly T["event"][]): void;
}

export function openDraft<T extends JournalTypes>(
  kind: Kind<T>,
  loaded: Loaded<T["state"]>,
  now: () => number,
): LedgerDraft<T> {
  let base = loaded;
  let pending: JournalChange<T>[] = [];
  const latest = () => {
    const last = pending.at(-1);
    return last ? { ...last.entry, state: last.after } : base;
  };
  function note(event: T["event"]): void {
    const { seq, epoch, atMs, state: before } = latest();
    const entry = kind.entryOf(base.id, {
      seq: seq + 1,
      epoch: epochOf(kind.adoption, event, epoch),
      // Time in the journal never runs backwards, even if the clock was set back.
      atMs: Math.max(now(), atMs),
      event,
    });
    const change = { entry, before, after: kind.reduce(before, entry) };
    const refused = kind.refusal(base.id, change);
    if (refused) throw refused;
    pending = [...pending, change];
  }
  return {
    get base() {
      return base;
    },
    get pending() {
      return pending;
    },
    get state() {
      return latest().state;
    },
    note,
    settle(written, seal) {
      const last = written.at(-1);
      if (!last) return;
      const { seq, epoch, atMs } = last.entry;
      base = { id: base.id, seq, epoch, atMs, seal, state: last.after };
      pending = pending.slice(written.length);
    },
    restart(events) {
      pending = [];
      for (const event of events) note(event);
    },
  };
}

/** A draft that can be written to the store. */
export interface Ledger<T extends JournalTypes> extends Pick<LedgerDraft<T>, "state" | "pending" | "note"> {
  /**
   * Writes all pending changes in one transaction and returns them. Call it before every external action. If another
   * process wrote into the journal of a loop, the loop is stopped afterwards.
   */
  flush(): Promise<readonly JournalChange<T>[]>;
  /** Adds these events and writes them. Concurrent writes are serialized. */
  write(...events: readonly T["event"][]): Promise<readonly JournalChange<T>[]>;
}

export interface LedgerPorts<T extends JournalTypes> {
  now(): number;
  store: Pick<Journals<T>, "append" | "disown">;
  /** The right to drive the subject; omitted when only a single event is written. */
  lease?: Pick<Lease, "isHeld" | "lost">;
}

export function openLedger<T extends JournalTypes>(
  kind: Kind<T>,
  loaded: Loaded<T["state"]>,
  ports: LedgerPorts<T>,
): Ledger<T> {
  const draft = openDraft(kind, loaded, ports.now);
  let writing: Promise<unknown> = Promise.resolve();

  async function writePending(): Promise<readonly JournalChange<T>[]> {
    const { base, pending } = draft;
    if (pending.length === 0) return pending;
    if (ports.lease?.lost.aborted) throw leaseLost(kind.name, base.id);
    try {
      const seal = await ports.store.append(base, entriesOf(pending), pending.at(-1)?.after);
      draft.settle(pending, seal);
      return pending;
    } catch (error) {
      if (!kind.afterForeign || !isForeign(error, ports)) throw error;
    }
    return disownForeign(kind.afterForeign, entriesOf(pending));
  }

  async function disownForeign(
    afterForeign: NonNullable<Kind<T>["afterForeign"]>,
    unwritten: readonly T["entry"][],
  ): Promise<readonly JournalChange<T>[]> {
    const { seal } = await ports.store.disown(draft.base, (found) => {
      draft.restart(afterForeign(unwritten, found));
      return { entries: entriesOf(draft.pending), state: draft.state };
    });
    const written = draft.pending;
    draft.settle(written, seal);
    return written;
  }

  const flush = () => {
    const mine = writing.then(writePending);
    writing = mine.catch(() => undefined);
    return mine;
  };
  return {
    get state() {
      return draft.state;
    },
    get pending() {
      return draft.pending;
    },
    note: draft.note,
    flush,
    write(...events) {
      for (const event of events) draft.note(event);
      return flush();
    },
  };
}

const entriesOf = <T extends JournalTypes>(changes: readonly JournalChange<T>[]): T["entry"][] =>
  changes.map(({ entry }) => entry);

/** While a driver holds its lease, no other driver can have continued the subject, whatever the journal says. */
function isForeign(error: unknown, { lease }: Pick<LedgerPorts<never>, "lease">): boolean {
  if (!(error instanceof RalphError) || !lease) return false;
  return error.code === "journal-foreign" || (error.code === "fenced" && lease.isHeld());
}

/** A driver without its lease writes nothing: another driver may have read the journal already. */
const leaseLost = (kind: string, id: string): RalphError =>
  new RalphError("fenced", `the lease of ${kind} ${id} was lost: another driver may have continued it`, {
    hint: `see \`ralph status ${id}\``,
    exitCode: EXIT.stopped,
  });
