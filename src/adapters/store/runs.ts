import { RalphError } from "../../core/errors.ts";
import type { Conversation } from "../../core/workflow/events.ts";
import { type RunTypes, runKind } from "../../core/workflow/kind.ts";
import { RUN_STATUSES } from "../../core/workflow/state.ts";
import type {
  Message,
  MessagePage,
  NewMessage,
  NewRun,
  RunFilter,
  RunStore,
  RunSummary,
} from "../../core/workflow/store.ts";
import { rowAt } from "./cells.ts";
import { inTransaction } from "./driver.ts";
import { type Connection, journalOn, type Patience, patientJournal } from "./journal.ts";
import { oneNamed } from "./loops.ts";
import { columnsOfRun, listingRuns, ownColumnsOfRun, type RunRow, SQL, summaryOfRun } from "./run-rows.ts";
import { countsIn, type Prepare } from "./statements.ts";
import type { Table } from "./table.ts";
import { begin } from "./writing.ts";

const RUNS: Table<RunTypes> = {
  kind: runKind,
  sealed: [],
  row: (sql, id) => rowAt(sql(SQL.seq), id),
  project(sql, { id, seq, holder, entries, state }) {
    const columns = { id, seq, at_ms: entries.at(-1)?.atMs ?? 0, ...columnsOfRun(state) };
    if (seq > entries.length) return Number(sql(SQL.project).run({ ...columns, holder }).changes) === 1 ? {} : null;
    if (state.started) sql(SQL.insert).run({ ...columns, ...ownColumnsOfRun(state.started) });
    return {};
  },
  putBack: null,
  damage: ({ seq }, row) => (Number(row.seq) > seq ? { entry: seq + 1, what: "it is missing" } : null),
  unknown: (_sql, id) => unknownRun(id),
  see: (id) => `ralph status ${id}`,
  why: (id) => `ralph why ${id}`,
  afterDamage: (id) => ({
    hint: `\`ralph why ${id}\` shows what can still be read; it cannot be continued: \`ralph workflow run\` starts another`,
  }),
};

/** Workflow runs and their messages, in the database and on the connection of the loops. */
export function runsOn(connection: Connection, patience: Patience): RunStore {
  const { db, sql } = connection;
  const { patient: read } = patience;
  const transaction = <T>(work: () => T): Promise<T> => read(() => inTransaction(db, work));
  const create = ({ id, event, further = [] }: NewRun, atMs: number) => {
    if (sql(SQL.seq).get({ id }))
      throw new RalphError("run-exists", `run ${id} already exists`, { hint: "`ralph workflow runs` shows them" });
    return begin(sql, RUNS, { id, events: [event, ...further], atMs });
  };
  return {
    ...patientJournal(journalOn(connection, RUNS), patience),
    create: (id, event, atMs) => transaction(() => create({ id, event }, atMs)),
    list: (filter) => read(() => list(sql, filter)),
    nextInLine: (limit) => read(() => summariesOf(sql(SQL.nextInLine).all({ limit }))),
    counts: () => read(() => countsIn(sql(SQL.counts).all())),
    find: (idOrPrefix) => read(() => find(sql, idOrPrefix)),
    hear: (message, run, atMs) =>
      transaction(() => {
        const heard = writeMessage(sql, { ...message, run: run?.id ?? message.run }, atMs);
        if (heard && run) create(run, atMs);
        return heard;
      }),
    messages: (conversation, page) => read(() => pageOfMessages(sql, conversation, page)),
  };
}

const summariesOf = (rows: unknown): RunSummary[] => (rows as RunRow[]).map(summaryOfRun);

/** Lists each status separately, because its index has the order, however many other runs there are. */
function list(sql: Prepare, filter: RunFilter = {}): RunSummary[] {
  const { conversation, talking = null, oldestFirst = false, limit = -1 } = filter;
  const statuses = filter.status ?? (conversation ? RUN_STATUSES : [null]);
  const rows = [...new Set(statuses)].flatMap((status) => {
    const which = { status: status !== null, conversation: conversation !== undefined, talking, oldestFirst };
    const values = {
      ...(status === null ? {} : { status }),
      ...(conversation ? { platform: conversation.platform, conversation: conversation.id } : {}),
      limit,
    };
    return sql(listingRuns(which)).all(values) as unknown as RunRow[];
  });
  rows.sort((a, b) => (oldestFirst ? a.age - b.age : b.age - a.age));
  return summariesOf(limit < 0 ? rows : rows.slice(0, limit));
}

function find(sql: Prepare, wanted: string): RunSummary {
  const rows = wanted === "last" ? list(sql, { limit: 1 }) : summariesOf(sql(SQL.byPrefix).all({ prefix: wanted }));
  return oneNamed(wanted, rows, {
    kind: "run",
    unknown: unknownRun,
    title: ({ workflow, message }) => `${workflow} ${message}`,
  });
}

const unknownRun = (id: string): RalphError =>
  id === "last"
    ? new RalphError("run-unknown", "no workflow has run here yet", {
        hint: 'start one: ralph workflow run <name> "<message>"; `ralph workflow list` names them',
      })
    : new RalphError("run-unknown", `there is no run ${id.slice(0, 80)} of a workflow here`, {
        hint: "`ralph workflow runs` shows them",
      });

const PAGE = 200;

/** Null if the platform has delivered the message before. */
function writeMessage(sql: Prepare, message: NewMessage, atMs: number): Message | null {
  const { conversation, role, content, run, externalId } = message;
  const { platform, id } = conversation;
  const external_id = externalId ?? null;
  if (external_id !== null && sql(SQL.isHeard).get({ platform, external_id })) return null;
  const row = { platform, conversation: id, role, content, at_ms: atMs, run, external_id };
  const { lastInsertRowid } = sql(SQL.insertMessage).run(row);
  return { id: Number(lastInsertRowid), role, content, atMs, run };
}

function pageOfMessages(
  sql: Prepare,
  { platform, id }: Conversation,
  { after = 0, latest = false, limit = PAGE }: MessagePage = {},
): Message[] {
  const text = latest ? SQL.latestMessages : SQL.messages;
  const rows = sql(text).all({ platform, conversation: id, after, limit }) as unknown as Message[];
  return (latest ? rows.reverse() : rows).map((message) => ({ ...message }));
}
