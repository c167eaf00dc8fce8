import { printable } from "../../core/ansi.ts";
import { RalphError } from "../../core/errors.ts";
import { shorten } from "../../core/excerpt.ts";
import type { Damage } from "../../core/journals.ts";
import type { Entry } from "../../core/loop/events.ts";
import { type LoopTypes, loopKind } from "../../core/loop/kind.ts";
import { START } from "../../core/loop/state.ts";
import type { LoopFilter, LoopSummary } from "../../core/loop/store.ts";
import { cellOf, cellsOf, rowAt, type StoredRow } from "./cells.ts";
import { entryOf, entryRowOf } from "./entry-rows.ts";
import type { Prepare } from "./statements.ts";
import { columnsOf, loopColumns, summaryOf } from "./summary.ts";
import type { Projection, Table, Walked } from "./table.ts";
import { isComparable } from "./walk.ts";

const CHANGING = Object.keys(columnsOf(START));
const OWN = ["id", "door", "title", "cwd", "task", "place", "run", "run_part", "created_at_ms", "head"];
const COLUMNS: readonly string[] = [...OWN, ...CHANGING, "seq", "epoch", "holder"];

const insertion = (how: string): string =>
  `${how} INTO loops (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map((c) => `:${c}`).join(", ")})`;
const listing = (where: string): string => `SELECT * FROM loops ${where} ORDER BY created_at_ms DESC, id LIMIT :limit`;

const SQL = {
  insert: insertion("INSERT"),
  putBack: insertion("INSERT OR REPLACE"),
  update: `UPDATE loops SET seq = :seq, epoch = :epoch, head = :head, holder = :holder,
    ${CHANGING.map((c) => `${c} = :${c}`).join(", ")}
    WHERE id = :id AND seq = :expected_seq AND epoch = :expected_epoch AND head IS :expected_head`,
  row: `SELECT ${COLUMNS.join(", ")} FROM loops WHERE id = :id`,
  all: listing(""),
  active: listing("WHERE status <> 'stopped'"),
  ofTask: listing("WHERE task = :task AND status <> :without"),
  ofRun: listing("WHERE run = :run AND status <> :without"),
  ofSession: listing("WHERE session = :session AND driver = 'host' AND status <> :without"),
  since: listing("WHERE updated_at_ms >= :since"),
  byPrefix: `SELECT * FROM loops WHERE id >= :prefix AND id < :prefix || '~'
    ORDER BY id <> :prefix, created_at_ms DESC LIMIT 5`,
  verdictBefore: `SELECT * FROM entries WHERE subject = :subject AND seq < :seq
    AND json_extract(event, '$.type') = 'claim.judged' ORDER BY seq DESC LIMIT 1`,
} as const;

/** The rows of loops. All their columns derive from the journal. */
export const LOOPS: Table<LoopTypes> = {
  kind: loopKind,
  sealed: COLUMNS,
  row: (sql, id) => rowAt(sql(SQL.row, "big"), id),
  project: (sql, change) => (change.seq === change.entries.length ? inserted(sql, change) : updated(sql, change)),
  putBack: (sql, row) => void sql(SQL.putBack).run(row),
  damage: rowDamage,
  relabel: levelled,
  unknown: (_sql, id) => unknownLoop(id),
  see: (id) => `ralph status ${id}`,
  why: (id) => `ralph why ${id}`,
  afterDamage: (id) => ({
    hint: `\`ralph why ${id}\` shows what can still be read; it cannot be continued: start the work again with \`ralph run\`, or restore the state folder from a backup`,
  }),
};

function inserted(sql: Prepare, { id, seq, epoch, head, holder, state }: Projection<LoopTypes>): StoredRow {
  const own = { id, ...(state.spec ? loopColumns(state.spec) : {}), created_at_ms: state.startedAtMs };
  const row: StoredRow = { ...own, ...columnsOf(state), seq, epoch, head, holder: holder ?? "" };
  sql(SQL.insert).run(row);
  return row;
}

function updated(sql: Prepare, { id, row, seq, epoch, head, holder, state }: Projection<LoopTypes>): StoredRow | null {
  const changed = { id, seq, epoch, head, holder: holder ?? row.holder ?? "", ...columnsOf(state) };
  const expected = { expected_seq: row.seq ?? 0, expected_epoch: row.epoch ?? 0, expected_head: row.head ?? null };
  return Number(sql(SQL.update).run({ ...changed, ...expected }).changes) === 1 ? { ...row, ...changed } : null;
}

function rowDamage(walked: Walked<LoopTypes>, row: StoredRow): Damage | null {
  const { seq, epoch, head, chainedFrom } = walked;
  if (seq === 0) return { entry: 1, what: "it is missing" };
  if (typeof row.seq !== "number" || row.seq > seq) return { entry: seq + 1, what: "it is missing" };
  if (row.seq < seq) return { entry: row.seq + 1, what: `it was added: the loop's row ends with entry ${row.seq}` };
  const facts = chainedFrom === null ? { head: null } : { head, epoch };
  const wrong = Object.entries({ ...facts, ...columnsAfter(walked) }).filter(
    ([name, value]) => cellOf(value) !== (row[name] ?? null),
  );
  if (wrong.length === 0) return null;
  const words = wrong
    .slice(0, MOST_COLUMNS)
    .map(([name, value]) => `${name} is ${shown(row[name])} instead of ${shown(value)}`);
  return { entry: null, what: `the loop's row does not match its entries: ${words.join("; ")}` };
}

/** The columns that the row should have; for a journal of another version only status and stop reason. */
function columnsAfter(walked: Walked<LoopTypes>): object {
  const { state, chainedFrom } = walked;
  if (chainedFrom === null) return {};
  const columns = columnsOf(state);
  if (!isComparable(walked)) return { status: columns.status, reason: columns.reason };
  return { ...columns, created_at_ms: state.startedAtMs, ...(state.spec ? loopColumns(state.spec) : {}) };
}

const MOST_COLUMNS = 3;
const VALUE_CHARS = 80;
const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, VALUE_CHARS);

/** Before there were proof levels, every completion was called verified: the verdict before it has the level. */
function levelled(sql: Prepare, entry: Entry, before: readonly Entry[]): Entry {
  const { event, loop, seq } = entry;
  if (event.type !== "loop.stopped" || event.reason !== "verified") return entry;
  const stored = before.some(({ event: { type } }) => type === "claim.judged")
    ? null
    : sql(SQL.verdictBefore, "big").get({ subject: loop, seq });
  const judged = [...(stored ? [entryOf(LOOPS, loop, entryRowOf(stored))] : []), ...before].findLast(isJudged)?.event;
  const reason = judged?.type === "claim.judged" ? judged.verdict.proof : undefined;
  return reason === undefined ? entry : { ...entry, event: { ...event, reason } };
}

const isJudged = ({ event }: Entry): boolean => event.type === "claim.judged";

export const loopSummaries = (sql: Prepare, filter: LoopFilter = {}): LoopSummary[] =>
  rowsOf(sql, filter).map((row) => summaryOf(cellsOf(row)));

function rowsOf(sql: Prepare, { active = false, task, run, session, sinceMs, limit = -1 }: LoopFilter) {
  const some = { without: active ? "stopped" : "", limit };
  if (task !== undefined) return sql(SQL.ofTask, "big").all({ task, ...some });
  if (run !== undefined) return sql(SQL.ofRun, "big").all({ run, ...some });
  if (session !== undefined) return sql(SQL.ofSession, "big").all({ session, ...some });
  if (sinceMs !== undefined) return sql(SQL.since, "big").all({ since: sinceMs, limit });
  return sql(active ? SQL.active : SQL.all, "big").all({ limit });
}

/** The loop whose id starts with `wanted`, or the newest one for `last`. */
export function findLoop(sql: Prepare, wanted: string): LoopSummary {
  const rows = wanted === "last" ? rowsOf(sql, { limit: 1 }) : sql(SQL.byPrefix, "big").all({ prefix: wanted });
  const found = rows.map((row) => summaryOf(cellsOf(row)));
  return oneNamed(wanted, found, { kind: "loop", unknown: unknownLoop, title: (loop) => loop.title });
}

const TITLE_CHARS = 60;

/** The item with this id, or the only one whose id starts with it. */
export function oneNamed<Item extends { id: string }>(
  wanted: string,
  found: readonly Item[],
  { kind, unknown, title }: { kind: string; unknown(id: string): RalphError; title(item: Item): string },
): Item {
  const exact = found.find(({ id }) => id === wanted) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact;
  if (found.length === 0) throw unknown(wanted);
  const lines = found.map((item) => `${item.id}  ${shorten(printable(title(item)), TITLE_CHARS)}`);
  throw new RalphError(`${kind}-ambiguous`, [`${wanted} could be`, ...lines].join("\n  "), {
    hint: "use more characters of the id",
  });
}

const unknownLoop = (id: string): RalphError =>
  id === "last"
    ? new RalphError("loop-unknown", "there is no loop here yet", {
        hint: 'start one: ralph run "…" --verify "…"',
      })
    : new RalphError("loop-unknown", `there is no loop ${id} here`, {
        hint: "`ralph list` shows the loops of this repository",
      });
