import { RalphError } from "../../core/errors.ts";
import type { Entry } from "../../core/loop/events.ts";
import { reduce } from "../../core/loop/reduce.ts";
import { type LoopState, START } from "../../core/loop/state.ts";
import type { Journal, LoadedLoop, LoopAt, LoopFilter, LoopRequest, LoopSummary } from "../../core/store.ts";
import { cellsOf, rowOf, type StoredRow, textCell } from "./cells.ts";
import { type Database, inTransaction } from "./driver.ts";
import { damagedError, entryOf, entryRowOf, foldRow } from "./entry-rows.ts";
import { disown, foreignEntries } from "./foreign.ts";
import type { Statements } from "./statements.ts";
import { columnsOf, loopColumns, summaryOf } from "./summary.ts";
import { checkOf, loadedFrom, snapshotOf, walkJournal } from "./walk.ts";
import { append, begin, calmOn, put } from "./writing.ts";

/** So many entries a reader gets at a time. */
const PAGE = 500;

/** How a piece of work gets past another process that writes at the same moment. */
type Patience = <T>(work: () => T) => T;

/** The journal as it is done: each call is one transaction, or one look. */
export function journalOn(
  db: Database,
  sql: Statements,
  look: Patience = (work) => work(),
): Journal & { page(id: string, after: number): Entry[] } {
  const calm = calmOn(sql);
  const transaction: Patience = (work) => look(() => inTransaction(db, work));
  // What is read in several steps has to be of one moment.
  const reading: Patience = (work) => look(() => inTransaction(db, work, "DEFERRED"));
  return {
    create: (id, event, atMs) =>
      transaction(() => {
        const entry: Entry = { loop: id, seq: 1, epoch: 0, atMs, event };
        const state = reduce(START, entry);
        const row = { id, ...loopColumns(event.spec), created_at_ms: atMs, ...columnsOf(state), holder: "" };
        return { id, seq: 1, epoch: 0, seal: begin(sql, row, entry), state };
      }),

    adopt: (id, event, atMs, holder) =>
      transaction(() => {
        const { loop, row } = loadFrom(sql, id);
        const epoch = loop.epoch + 1;
        const entry: Entry = { loop: id, seq: loop.seq + 1, epoch, atMs: Math.max(atMs, loop.state.atMs), event };
        const state = reduce(loop.state, entry);
        const seal = put(sql, { fence: loop, row: { ...row, holder: textCell(holder) }, entries: [entry], state });
        sql.clearInbox.run({ loop: id, before_ms: atMs });
        calm.left(id, seal.head);
        return { id, seq: entry.seq, epoch, seal, state };
      }),

    append: (fence, entries, state) => transaction(() => append(sql, calm, { fence, entries, state })),
    disown: (fence, close) => transaction(() => disown(sql, fence, close)),
    load: (id) => reading(() => loadFrom(sql, id).loop),
    glance: (id) => reading(() => glanceAt(sql, id)),
    check: (id) => reading(() => checkOf(walkJournal(sql, knownRow(sql, id)))),
    foreignEntries: (id) => look(() => foreignEntries(sql, id)),
    page: (id, after) => look(() => pageOf(sql, id, after)),
    summaries: (filter) => look(() => summaries(sql, filter)),
    find: (idOrPrefix) => look(() => find(sql, idOrPrefix)),
    request: (id, { command, by }, atMs) =>
      transaction(() => void sql.insertRequest.run({ loop: id, at_ms: atMs, command, requested_by: by })),
    forgetRequests: (id, beforeMs) => transaction(() => void sql.clearInbox.run({ loop: id, before_ms: beforeMs })),
    requests: (id) => look(() => sql.requests.all({ loop: id }) as unknown as LoopRequest[]),
  };
}

/** Those that can be read: whoever asks on after them is told of the first that cannot. */
function pageOf(sql: Statements, loop: string, after: number): Entry[] {
  const entries: Entry[] = [];
  for (const row of sql.pageOfEntries.all({ loop, after, limit: PAGE })) {
    try {
      entries.push(entryOf(entryRowOf(row)));
    } catch (error) {
      if (entries.length === 0) throw error;
      break;
    }
  }
  return entries.map((entry, i) => levelled(sql, entry, entries.slice(0, i)));
}

/** Before there were levels, every completion was called verified: the verdict before it says which one it was. */
function levelled(sql: Statements, entry: Entry, before: readonly Entry[]): Entry {
  const { event, loop, seq } = entry;
  if (event.type !== "loop.stopped" || event.reason !== "verified") return entry;
  const stored = before.some(({ event: { type } }) => type === "claim.judged")
    ? null
    : sql.verdictBefore.get({ loop, seq });
  const judged = [...(stored ? [entryOf(entryRowOf(stored))] : []), ...before].findLast(isJudged)?.event;
  const reason = judged?.type === "claim.judged" ? judged.verdict.proof : undefined;
  return reason === undefined ? entry : { ...entry, event: { ...event, reason } };
}

const isJudged = ({ event }: Entry): boolean => event.type === "claim.judged";

function knownRow(sql: Statements, id: string): StoredRow {
  const row = rowOf(sql, id);
  if (!row) throw unknownLoop(id);
  return row;
}

function loadFrom(sql: Statements, id: string): { loop: LoadedLoop; row: StoredRow } {
  const row = knownRow(sql, id);
  const walked = walkJournal(sql, row);
  if (walked.damage) throw damagedError(id, walked.damage);
  return { loop: loadedFrom(walked, row), row };
}

/** From the snapshot on: whoever only shows a loop does not wait for its whole history. */
function glanceAt(sql: Statements, id: string): LoopAt {
  const row = knownRow(sql, id);
  const snapshot = snapshotOf(sql, id);
  const kept = snapshot && keptState(sql, id, snapshot.text);
  let state = kept ?? START;
  const after = kept ? Number(snapshot.seq) : 0;
  for (const stored of sql.tail.all({ loop: id, after })) state = foldRow(state, entryRowOf(stored));
  return { id, seq: Number(row.seq), epoch: Number(row.epoch), state };
}

/**
 * The snapshot leaves out the spec, which never changes and may hold a long prompt: the first entry has it. Null where
 * it cannot be read: then there are the entries.
 */
function keptState(sql: Statements, id: string, json: string): LoopState | null {
  const first = sql.firstEntry.get({ loop: id });
  if (!first) return null;
  const { event } = entryOf(entryRowOf(first));
  try {
    return { ...START, ...(JSON.parse(json) as LoopState), spec: event.type === "loop.started" ? event.spec : null };
  } catch {
    return null;
  }
}

function summaries(sql: Statements, filter: LoopFilter = {}): LoopSummary[] {
  return rowsOf(sql, filter).map((row) => summaryOf(cellsOf(row)));
}

function rowsOf(sql: Statements, { active = false, task, run, session, limit = -1 }: LoopFilter) {
  const some = { without: active ? "stopped" : "", limit };
  if (task !== undefined) return sql.loopsOfTask.all({ task, ...some });
  if (run !== undefined) return sql.loopsOfRun.all({ run, ...some });
  if (session !== undefined) return sql.loopsOfSession.all({ session, ...some });
  return (active ? sql.activeLoops : sql.allLoops).all({ limit });
}

function find(sql: Statements, wanted: string): LoopSummary {
  const found = wanted === "last" ? sql.allLoops.all({ limit: 1 }) : sql.loopsByPrefix.all({ prefix: wanted });
  const rows = found.map(cellsOf);
  const exact = rows.find((row) => row.id === wanted) ?? (rows.length === 1 ? rows[0] : undefined);
  if (exact) return summaryOf(exact);
  if (rows.length === 0) throw unknownLoop(wanted);
  throw new RalphError("loop-ambiguous", `${wanted} could be ${rows.map((row) => row.id).join(", ")}`, {
    hint: "give more of the id",
  });
}

const unknownLoop = (id: string): RalphError =>
  id === "last"
    ? new RalphError("loop-unknown", "there is no loop here yet", {
        hint: 'start one: ralph run --prompt "…" --verify "…"',
      })
    : new RalphError("loop-unknown", `there is no loop ${id} here`, {
        hint: "`ralph list` shows the loops of this repository",
      });
