import { join } from "node:path";
import { openSqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { LoopEvent } from "../../src/core/loop/events.ts";
import { reduce } from "../../src/core/loop/reduce.ts";
import type { LoopSpec } from "../../src/core/loop/spec.ts";
import type { LoopStore } from "../../src/core/loop/store.ts";
import { upcast } from "../../src/core/loop/upcast.ts";
import type { Sandbox } from "./sandbox.ts";

/** Opens the journal of a sandbox for a function, and closes it. */
export async function inJournal(
  box: Sandbox,
  work: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<void>,
) {
  const store = await openSqliteStore(join(box.state, "ralph.db"));
  await work(store).finally(() => store.close());
}

interface Written {
  id: string;
  spec: LoopSpec;
  events: readonly LoopEvent[];
  atMs?: number;
}

/** Writes a loop entry by entry, a minute apart, like a driver. */
export async function writeLoop(store: LoopStore, { id, spec, events, atMs = Date.now() - 3_600_000 }: Written) {
  let { seq, epoch, state, seal } = await store.create(id, { type: "loop.started", spec, fingerprints: {} }, atMs);
  for (const [i, event] of events.entries()) {
    const entry = { loop: id, seq: seq + 1, epoch, atMs: atMs + 60_000 * (i + 1), event };
    // As read back: an event may be one of an earlier version.
    const next = reduce(state, { ...entry, event: upcast(event) });
    seal = await store.append({ id, seq, epoch, seal }, [entry], next);
    [seq, epoch, state] = [entry.seq, entry.epoch, next];
  }
}
