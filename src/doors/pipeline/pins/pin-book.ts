import { RalphError } from "../../../core/errors.ts";
import {
  definitionDifferences,
  definitionOf,
  definitionText,
  type TaskDefinition,
  withDefinition,
} from "../../../core/task/definition.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { Spec, Task } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";

/** A change that an execution has seen but not applied. */
export interface KeptChange {
  /** Null if it is about no task in particular. */
  task: string | null;
  what: string;
}

export interface PinRequest {
  workspace: Workspace;
  view: { say(task: string | null, words: string): void };
  acceptChanges: boolean;
  /** Whether this process is working on a task: no other process writes its journal then. */
  isInWork(id: string): boolean;
}

interface Pin {
  definition: TaskDefinition;
  /** Its row when it was last read. */
  row: Task;
  /** Its journalled state then; null once it is done, or if the journal is damaged. */
  state: TaskState | null;
}

/** What an execution remembers of tasks and specs to detect changes by other processes. */
export interface PinBook extends PinRequest {
  /** False until the initial state is pinned. */
  isOpen: boolean;
  pins: Map<string, Pin>;
  specs: Map<string, Spec | null>;
  changed: Set<string>;
  /** Tasks that are not run, because no journal has recorded them or their journal is damaged. */
  foreign: Set<string>;
  /** Tasks that are done according to their journals, which is final. */
  done: Set<string>;
  deleted: Set<string>;
  kept: Map<string, KeptChange>;
  reported: Set<string>;
}

export const newBook = (request: PinRequest): PinBook => ({
  ...request,
  isOpen: false,
  pins: new Map(),
  specs: new Map(),
  changed: new Set(),
  foreign: new Set(),
  done: new Set(),
  deleted: new Set(),
  kept: new Map(),
  reported: new Set(),
});

const LATER = "the change applies from the next `ralph execute` on; --accept-changes applies it immediately";
export const ruleOf = ({ acceptChanges }: Pick<PinRequest, "acceptChanges">): string =>
  acceptChanges ? "the change applies immediately (--accept-changes)" : LATER;

function report({ reported, view }: PinBook, task: string | null, key: string, words: string): void {
  if (!reported.has(key)) view.say(task, words);
  reported.add(key);
}

function keep({ acceptChanges, kept }: PinBook, name: string, change: KeptChange): void {
  if (!acceptChanges) kept.set(name, change);
}

/** Compares everything in the database with what was pinned. */
export async function lookAtAll(book: PinBook): Promise<void> {
  const seen = new Set<string>();
  for await (const row of book.workspace.tasks.all()) {
    seen.add(row.id);
    const pin = book.pins.get(row.id);
    if (pin) await compare(book, pin, row);
    else await add(book, row);
  }
  await bringBack(
    book,
    [...book.pins.values()].filter(({ row }) => !seen.has(row.id) && !book.isInWork(row.id)),
  );
  await book.workspace.tasks.recount();
  await lookAtSpecs(book);
}

/** The state in a task's journal. A row that contradicts it is corrected. Null if the journal is damaged. */
async function standing(book: PinBook, { id, held }: Task): Promise<TaskState | null> {
  const { tasks } = book.workspace;
  try {
    const was = await tasks.repair(id);
    const { state } = await tasks.load(id);
    const words = `is ${was}${held ? " (held)" : ""} in the database and ${state.status} in its journal: the journal is right, and the database was corrected`;
    if (was !== null) report(book, id, `row ${id} ${was} ${state.status}`, words);
    if (state.status === "done") book.done.add(id);
    return state;
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "journal-damaged") throw error;
    book.foreign.add(id);
    report(book, id, `damaged ${id}`, error.message);
    return null;
  }
}

const unlessDone = (state: TaskState | null): TaskState | null => (state?.status === "done" ? null : state);

async function add(book: PinBook, row: Task): Promise<void> {
  const { id } = row;
  book.pins.set(id, { definition: definitionOf(row), row, state: unlessDone(await standing(book, row)) });
  if (!book.isOpen || book.acceptChanges || (await isWrittenDown(book, id))) return;
  book.foreign.add(id);
  keep(book, id, { task: id, what: "added without `ralph task create`" });
  report(book, id, `added ${id}`, `was added during this execution, and no journal records by whom: ${LATER}`);
}

async function isWrittenDown({ workspace }: PinBook, id: string): Promise<boolean> {
  for await (const _ of workspace.tasks.entries(id)) return true;
  return false;
}

async function compare(book: PinBook, pin: Pin, row: Task): Promise<void> {
  const { id } = row;
  const isSame = pin.row.status === row.status && pin.row.held === row.held;
  if (!isSame && !book.isInWork(id)) pin.state = unlessDone(await standing(book, row));
  pin.row = row;
  const definition = definitionOf(row);
  const what = definitionDifferences(pin.definition, definition).join(", ");
  if (what === "") {
    book.changed.delete(id);
    if (!book.deleted.has(id) && !book.foreign.has(id)) book.kept.delete(id);
    return;
  }
  const words = `was changed during this execution (${what}): ${ruleOf(book)}`;
  report(book, id, `${id} ${definitionText(definition)}`, words);
  if (book.acceptChanges) pin.definition = definition;
  else book.changed.add(id);
  keep(book, id, { task: id, what });
}

/** Restores deleted rows. Tasks that are done do not need one. */
async function bringBack(book: PinBook, lost: readonly Pin[]): Promise<void> {
  const again = lost.flatMap(({ row, state, definition }) =>
    state ? [{ task: withDefinition(row, definition), state }] : [],
  );
  for (const { row } of lost) if (book.acceptChanges) book.pins.delete(row.id);
  for (const { task } of again) {
    report(book, task.id, `deleted ${task.id}`, `was deleted during this execution: ${ruleOf(book)}`);
    book.deleted.add(task.id);
    keep(book, task.id, { task: task.id, what: "deleted" });
  }
  if (book.acceptChanges || again.length === 0) return;
  await book.workspace.tasks.restore(again, "ralph execute", Date.now());
}

async function lookAtSpecs(book: PinBook): Promise<void> {
  const { tasks } = book.workspace;
  for (const { id } of await tasks.specs()) {
    const now = await tasks.spec(id);
    const before = book.specs.get(id);
    if (before === undefined || book.acceptChanges) book.specs.set(id, now);
    if (!before || before.content === now?.content) continue;
    const words = `the spec ${id} was changed during this execution: ${ruleOf(book)}`;
    report(book, null, `spec ${id} ${now?.content}`, words);
    keep(book, `spec ${id}`, { task: null, what: `the spec ${id}` });
  }
}
