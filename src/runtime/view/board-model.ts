import type { LoopSummary } from "../../core/loop/store.ts";
import { type LoopPulse, type Pulse, pulseAfter } from "../../core/pulse.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { TaskSummary } from "../../core/task/store.ts";
import { isBegun } from "../../core/task/task.ts";
import { type BoardChange, type BoardView, changed, type ExecutionLine } from "../../core/view/board.ts";
import { type Card, cardOf } from "../../core/view/card.ts";
import { type LoopLine, loopLine } from "../../core/view/loop-line.ts";
import type { ChangedRows, Spent, TaskRows } from "../../core/view/rows.ts";
import { totalsOf } from "../../core/view/totals.ts";

/** The facts that a view is made from. The reader fills them in; `viewAfter` says what follows. */
export interface Facts {
  at: number;
  tasks: readonly TaskSummary[];
  byId: Map<string, TaskSummary>;
  /** Of tasks whose journal shows more than their row. */
  states: Map<string, TaskState>;
  /** Those that have not stopped, that the view shows, or that a task names: a server lives through many thousands. */
  loops: Map<string, LoopSummary>;
  /** By task. */
  spent: Map<string, Spent>;
  /** What entries since midnight have cost. */
  today: { sinceMs: number; costUsd: number };
  /** By `kind/id`. */
  pulses: ReadonlyMap<string, Pulse>;
  /** The leases that a process holds: `kind/id`. */
  taken: ReadonlySet<string>;
}

export const noFacts = (): Facts => ({
  at: 0,
  tasks: [],
  byId: new Map(),
  states: new Map(),
  loops: new Map(),
  spent: new Map(),
  today: { sinceMs: midnightBefore(Date.now()), costUsd: 0 },
  pulses: new Map(),
  taken: new Set(),
});

/** What has to be made again: the cards of these tasks, and the lines of these loops. */
export interface Dirty {
  tasks: Set<string>;
  loops: Set<string>;
  order: boolean;
}

export const clean = (): Dirty => ({ tasks: new Set(), loops: new Set(), order: false });

const midnightBefore = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

/** A new day begins without costs. */
export function takeDay(facts: Facts, nowMs: number): void {
  const sinceMs = midnightBefore(nowMs);
  if (sinceMs !== facts.today.sinceMs) facts.today = { sinceMs, costUsd: 0 };
}

/** Takes what was read from the journals. */
export function takeJournals(facts: Facts, { at, spent, newUsd, loops, tasks }: ChangedRows, dirty: Dirty): void {
  facts.at = at;
  facts.today.costUsd += newUsd;
  for (const [task, sum] of spent) facts.spent.set(task, sum);
  takeLoops(facts, loops, dirty);
  if (tasks) takeTasks(facts, tasks, dirty);
}

function takeLoops(facts: Facts, loops: readonly LoopSummary[], dirty: Dirty): void {
  for (const loop of loops) {
    facts.loops.set(loop.id, loop);
    dirty.loops.add(loop.id);
    if (loop.part) dirty.tasks.add(loop.part.task);
  }
}

function takeTasks(facts: Facts, { tasks, told }: TaskRows, dirty: Dirty): void {
  const before = facts.byId;
  facts.byId = new Map(tasks.map((task) => [task.id, task]));
  dirty.order ||= tasks.length !== facts.tasks.length || tasks.some(({ id }, i) => facts.tasks[i]?.id !== id);
  facts.tasks = tasks;
  const stands = new Set<string>();
  for (const task of tasks) {
    const earlier = before.get(task.id);
    if (!earlier || !isSame(earlier, task)) dirty.tasks.add(task.id);
    if (!earlier || (earlier.status === "done") !== (task.status === "done")) stands.add(task.id);
  }
  for (const { id, dependencies } of tasks) if (dependencies.some((one) => stands.has(one))) dirty.tasks.add(id);
  const kept = new Set(told);
  for (const id of facts.states.keys()) if (!kept.has(id)) facts.states.delete(id);
}

/** Summaries are flat, except for the dependencies. */
function isSame(one: TaskSummary, other: TaskSummary): boolean {
  const names = Object.keys(one) as (keyof TaskSummary)[];
  return names.every((name) =>
    name === "dependencies" ? String(one[name]) === String(other[name]) : one[name] === other[name],
  );
}

/** The subjects whose lease says whether a process works on them. */
export function leasesOf({ loops, tasks, pulses }: Facts): { kind: "loop" | "task" | "execution"; id: string }[] {
  return [
    ...[...loops.values()]
      .filter(({ status }) => status !== "stopped")
      .map(({ id }) => ({ kind: "loop" as const, id })),
    ...tasks.filter(isBegun).map(({ id }) => ({ kind: "task" as const, id })),
    ...[...pulses.values()].flatMap(({ kind, id }) => (kind === "execution" ? [{ kind, id }] : [])),
  ];
}

/** Returns the drivers that have written, `kind/id`, and whether one has removed its row. */
export function takePulses(facts: Facts, pulses: readonly Pulse[], dirty: Dirty): { beaten: string[]; ended: boolean } {
  const before = facts.pulses;
  facts.pulses = new Map(pulses.map((pulse) => [`${pulse.kind}/${pulse.id}`, pulse]));
  const beaten = [...facts.pulses].flatMap(([name, { atMs }]) => (before.get(name)?.atMs === atMs ? [] : [name]));
  const ended = [...before.keys()].filter((name) => !facts.pulses.has(name));
  for (const name of [...beaten, ...ended]) touch(facts, name, dirty);
  return { beaten, ended: ended.length > 0 };
}

export function takeLeases(facts: Facts, taken: ReadonlySet<string>, dirty: Dirty): void {
  const before = facts.taken;
  facts.taken = taken;
  for (const name of before) if (!taken.has(name)) touch(facts, name, dirty);
  for (const name of taken) if (!before.has(name)) touch(facts, name, dirty);
}

/** Marks what shows a subject; executions are always compared. */
function touch({ loops }: Facts, name: string, dirty: Dirty): void {
  const [kind, id = ""] = split(name);
  if (kind === "task") dirty.tasks.add(id);
  if (kind !== "loop") return;
  dirty.loops.add(id);
  const part = loops.get(id)?.part;
  if (part) dirty.tasks.add(part.task);
}

/** `kind/id` as its parts. */
export function split(name: string): [string, string] {
  const slash = name.indexOf("/");
  return [name.slice(0, slash), name.slice(slash + 1)];
}

interface Changed {
  dirty: Dirty;
  subjects: readonly string[];
}

/** The view after what is dirty was made again, and how it differs; null: it shows the same. */
export function viewAfter(before: BoardView, facts: Facts, news: Changed) {
  const found = differenceIn(before, facts, news);
  if (news.dirty.loops.size > 0) forgetLoops(facts, found?.view ?? before);
  return found;
}

/** One that gets an entry again is read again. */
function forgetLoops({ loops, tasks }: Facts, view: BoardView): void {
  const kept = new Set([...view.loops.map(({ id }) => id), ...tasks.map(({ loop }) => loop)]);
  for (const { id, status } of loops.values()) if (status === "stopped" && !kept.has(id)) loops.delete(id);
}

function differenceIn(
  before: BoardView,
  facts: Facts,
  { dirty, subjects }: Changed,
): { change: BoardChange; view: BoardView } | null {
  const known = new Map(before.cards.map((card) => [card.id, card]));
  const lines = new Map(before.loops.map((line) => [line.id, line]));
  const cards = [...dirty.tasks].flatMap((id) => different(known.get(id), cardIn(facts, id)));
  const gone = before.cards.filter(({ id }) => !facts.byId.has(id)).map(({ id }) => id);
  const loops = [...dirty.loops].flatMap((id) => different(lines.get(id), lineIn(facts, id)));
  const [execution] = different(before.executions, executionsIn(facts));
  const hasOrder = dirty.order || gone.length > 0;
  const change: BoardChange = {
    at: facts.at,
    cards,
    gone,
    order: hasOrder ? facts.tasks.map(({ id }) => id) : null,
    executions: execution ?? null,
    loops,
    totals: null,
    todayUsd: null,
    subjects,
  };
  const after = changed(before, change);
  const [totals] = cards.length + gone.length + loops.length > 0 ? totalsAfter(before, after) : [];
  const [todayUsd] = different(before.todayUsd, todayIn(facts));
  const isSame = cards.length + gone.length + loops.length + subjects.length === 0;
  if (isSame && !hasOrder && !execution && todayUsd === undefined && facts.at === before.at) return null;
  const sums = { ...(totals ? { totals } : {}), ...(todayUsd === undefined ? {} : { todayUsd }) };
  return { change: { ...change, ...sums }, view: { ...after, ...sums } };
}

/** With the turns that have not ended. */
function todayIn(facts: Facts): number {
  const open = [...facts.loops.values()].map((loop) => pulseOf(facts, loop)?.costUsd ?? 0);
  return open.reduce((sum, costUsd) => sum + costUsd, facts.today.costUsd);
}

const totalsAfter = ({ totals }: BoardView, { cards, loops }: BoardView) => different(totals, totalsOf(cards, loops));

/** The new value if it shows something else. */
function different<T>(before: T | undefined, after: T | null): T[] {
  return after === null || (before !== undefined && JSON.stringify(before) === JSON.stringify(after)) ? [] : [after];
}

function cardIn(facts: Facts, id: string): Card | null {
  const task = facts.byId.get(id);
  if (!task) return null;
  const loop = task.loop === null ? null : (facts.loops.get(task.loop) ?? null);
  return cardOf({
    task,
    state: facts.states.get(id) ?? null,
    loop,
    pulse: loop && pulseOf(facts, loop),
    spent: facts.spent.get(id) ?? { costUsd: 0, tokens: 0 },
    driven: isBegun(task) && facts.taken.has(`task/${id}`),
    waitsFor: task.dependencies.filter((one) => (facts.byId.get(one)?.status ?? "done") !== "done"),
  });
}

function lineIn(facts: Facts, id: string): LoopLine | null {
  const loop = facts.loops.get(id);
  if (!loop) return null;
  // No process drives it while the agent of a host works or waits for the user.
  const driven = loop.status !== "stopped" && (loop.driver === "host" || facts.taken.has(`loop/${id}`));
  return loopLine(loop, driven, pulseOf(facts, loop));
}

/** A row may outlive its driver. */
function pulseOf({ pulses, taken }: Facts, { id, updatedAtMs }: LoopSummary): LoopPulse | null {
  const found = pulses.get(`loop/${id}`);
  return found?.kind === "loop" && taken.has(`loop/${id}`) ? pulseAfter(found.pulse, found.atMs, updatedAtMs) : null;
}

const executionsIn = ({ pulses, taken }: Facts): ExecutionLine[] =>
  [...pulses.values()]
    .flatMap((found) =>
      found.kind === "execution" && taken.has(`execution/${found.id}`) ? [{ id: found.id, ...found.pulse }] : [],
    )
    .sort((a, b) => a.startedMs - b.startedMs || (a.id < b.id ? -1 : 1));
