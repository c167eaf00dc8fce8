import type { Entry, LoopEvent } from "../../../core/loop/events.ts";

/** The snapshots that a loop has left in its journal. */
export interface Recorded {
  /** Before any work; null where none could be taken, or where an older version drove it. */
  start: string | null;
  /** The commit that was checked out then; empty where there was none. */
  head: string;
  /** The newest one. */
  last: string | null;
  /** By iteration: the newest one before it began, and the one after it. */
  iterations: ReadonlyMap<number, { before: string | null; after: string | null }>;
}

/** Reads the snapshots off a journal. */
export async function recordedIn(entries: AsyncIterable<Entry>): Promise<Recorded> {
  const recorded: Reading = { start: null, head: "", last: null, iterations: new Map() };
  for await (const { event } of entries) note(recorded, event);
  return recorded;
}

interface Reading extends Recorded {
  iterations: Map<number, { before: string | null; after: string | null }>;
}

function note(read: Reading, event: LoopEvent): void {
  switch (event.type) {
    case "baseline.taken":
      read.start = event.snapshot ?? null;
      read.head = event.head;
      read.last = read.start ?? read.last;
      return;
    case "turn.began":
      if (!read.iterations.has(event.n)) read.iterations.set(event.n, { before: read.last, after: null });
      return;
    case "tree.seen": {
      const after = event.snapshot ?? null;
      read.iterations.set(event.n, { before: read.iterations.get(event.n)?.before ?? null, after });
      read.last = after ?? read.last;
      return;
    }
    case "claim.judged":
      read.last = event.verdict.snapshot ?? read.last;
  }
}
