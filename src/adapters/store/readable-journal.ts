import type { Damage, ForeignEntry, JournalCheck } from "../../core/journals.ts";
import type { Entry } from "../../core/loop/events.ts";
import { reduce } from "../../core/loop/reduce.ts";
import { type LoopState, START } from "../../core/loop/state.ts";
import { damagedError } from "./entry-rows.ts";
import { LOOPS } from "./loops.ts";
import type { Workspace } from "./workspace.ts";

/** The error for a damaged journal, for callers that have shown its readable part. */
export const damagedJournal = (loop: string, damage: Damage) => damagedError(LOOPS, loop, damage);

type Journalled = Pick<Workspace, "store">;

/** A loop's verified journal, with the entries that other processes wrote. */
export type VerifiedJournal = JournalCheck & { foreign: readonly ForeignEntry[] };

export const journalOf = async ({ store }: Journalled, loop: string): Promise<VerifiedJournal> => ({
  ...(await store.check(loop)),
  foreign: await store.foreignEntries(loop),
});

/** The entries of a loop up to where its journal is damaged. */
export async function* readableEntries(
  { store }: Journalled,
  loop: string,
  { damage }: JournalCheck,
): AsyncGenerator<Entry> {
  const end = damage?.entry ?? Number.POSITIVE_INFINITY;
  if (end <= 1) return;
  for await (const entry of store.entries(loop)) {
    if (entry.seq >= end) return;
    yield entry;
    if (entry.seq === end - 1) return;
  }
}

export async function stateOf({ store }: Journalled, loop: string, journal: JournalCheck): Promise<LoopState> {
  if (!journal.damage) return (await store.glance(loop)).state;
  let state = START;
  for await (const entry of readableEntries({ store }, loop, journal)) state = reduce(state, entry);
  return state;
}
