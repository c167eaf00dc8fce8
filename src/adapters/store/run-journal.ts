import type { RunEntry, RunEvent, RunStarted } from "../../core/workflow/events.ts";
import { foldRun, reduceRun } from "../../core/workflow/reduce.ts";
import { NEW_RUN, type RunState } from "../../core/workflow/state.ts";
import type { LoadedRun } from "../../core/workflow/store.ts";
import { endedRun, fencedRun, takenRun, unknownRun } from "./run-errors.ts";
import { columnsOfRun, isNews, runColumns } from "./run-rows.ts";
import { SQL } from "./run-statements.ts";
import type { Prepare } from "./task-statements.ts";

/** A run with its first entry. */
export function writeRun(sql: Prepare, id: string, event: RunStarted, atMs: number): LoadedRun {
  if (sql(SQL.isThere).get({ id })) throw takenRun(id);
  const state = reduceRun(NEW_RUN, event);
  sql(SQL.insert).run({ id, ...runColumns(event), ...columnsOfRun(state), at_ms: atMs });
  writeEntries(sql, { id, seq: 0 }, [event], atMs);
  return { id, seq: 1, state };
}

/** Entries, and what follows from them. */
export function writeEvents(sql: Prepare, run: LoadedRun, events: readonly RunEvent[], atMs: number): LoadedRun {
  const { id, seq } = run;
  const state = stateAfter(run, events);
  if (events.length === 0) return run;
  const last = seq + events.length;
  const holder = events.findLast((event) => event.type === "run.taken")?.by ?? null;
  const row = { id, seq: last, expected: seq, holder, ...columnsOfRun(state), at_ms: atMs };
  if (Number(sql(SQL.append).run(row).changes) !== 1)
    throw sql(SQL.isThere).get({ id }) ? fencedRun(id) : unknownRun(id);
  writeEntries(sql, run, events, atMs);
  return { id, seq: last, state };
}

function stateAfter({ id, state }: LoadedRun, events: readonly RunEvent[]): RunState {
  return events.reduce((before, event) => {
    if (!isNews(before.status, event)) throw endedRun(id, before.status);
    return reduceRun(before, event);
  }, state);
}

function writeEntries(
  sql: Prepare,
  { id, seq }: Pick<LoadedRun, "id" | "seq">,
  events: readonly RunEvent[],
  atMs: number,
): void {
  for (const [i, event] of events.entries()) {
    sql(SQL.insertEntry).run({ run: id, seq: seq + 1 + i, at_ms: atMs, event: JSON.stringify(event) });
  }
}

export function loadRun(sql: Prepare, id: string): LoadedRun {
  const row = sql(SQL.load).get({ id });
  if (!row) throw unknownRun(id);
  const seq = Number(row.seq);
  // Whoever changes what a state holds clears the column: it is the fold of the entries then.
  const state = row.state === null ? foldRun([...entriesOf(sql, id)]) : keptState(sql, id, String(row.state));
  return { id, seq, state };
}

function keptState(sql: Prepare, id: string, json: string): RunState {
  const started: RunStarted = JSON.parse(String(sql(SQL.firstEntry).get({ run: id })?.event));
  return { ...(JSON.parse(json) as RunState), started };
}

function* entriesOf(sql: Prepare, run: string): Generator<RunEntry> {
  for (let after = 0; ; ) {
    const page = pageOfRun(sql, run, after);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

/** Some entries, page by page. */
export function pageOfRun(sql: Prepare, run: string, after: number): RunEntry[] {
  const rows = sql(SQL.entries).all({ run, after }) as unknown as { seq: number; at_ms: number; event: string }[];
  return rows.map(({ seq, at_ms, event }) => ({ run, seq, atMs: at_ms, event: JSON.parse(event) }));
}
