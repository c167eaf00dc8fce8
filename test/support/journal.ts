import type { Journals } from "../../src/core/journals.ts";
import type { JournalTypes, Kind } from "../../src/core/subject.ts";
import { openLedger } from "../../src/engine/ledger.ts";

/** Appends events to a subject's journal. */
export async function writeTo<T extends JournalTypes, Store extends Journals<T>>(
  kind: Kind<T>,
  store: Store,
  { id, events, atMs = 5_000 }: { id: string; events: readonly T["event"][]; atMs?: number },
): Promise<Awaited<ReturnType<Store["load"]>>> {
  await openLedger(kind, await store.load(id), { now: () => atMs, store }).write(...events);
  return (await store.load(id)) as Awaited<ReturnType<Store["load"]>>;
}
