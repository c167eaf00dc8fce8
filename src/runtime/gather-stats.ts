import { setImmediate as letOthersWork } from "node:timers/promises";
import { RalphError } from "../core/errors.ts";
import type { LoopSummary } from "../core/loop/store.ts";
import { readLoop } from "../core/stats/reading.ts";
import type { Stats, TaskFacts } from "../core/stats/stats.ts";
import { tally } from "../core/stats/tally.ts";
import type { TaskStore } from "../core/task/store.ts";
import type { Workspace } from "../core/workspace.ts";
import { requireSpec } from "../engine/named.ts";

/** The loops to count; all of them by default. */
export interface StatsQuery {
  task?: string;
  spec?: string;
  /** Only loops with an entry since then; each is counted completely. */
  sinceMs?: number;
}

const AT_ONCE = 50;

/** Reads the journals one after the other: only one iteration is in memory at a time. */
export async function gatherStats(
  { store, tasks }: Workspace,
  query: StatsQuery,
  progress: (done: number, of: number) => void = () => undefined,
): Promise<Stats> {
  if (query.spec !== undefined) await requireSpec(tasks, query.spec);
  const found = await store.summaries(query.task === undefined ? {} : { task: query.task });
  // Throws, with a suggestion.
  if (query.task !== undefined && found.length === 0) await tasks.find(query.task);
  const recent = found.filter(({ updatedAtMs }) => updatedAtMs >= (query.sinceMs ?? 0));
  const facts = new Map<string, TaskFacts | null>();
  for (const id of new Set(recent.flatMap(({ part }) => part?.task ?? []))) facts.set(id, await factsOf(tasks, id));
  const wanted = recent.filter((loop) => isOf(loop, query.spec, facts));
  const all = tally();
  for (const [i, loop] of wanted.entries()) {
    progress(i, wanted.length);
    // A server answers others meanwhile: 100,000 loops take seconds.
    if (i % AT_ONCE === AT_ONCE - 1) await letOthersWork();
    // A damaged journal is not counted; `ralph doctor` reports it.
    if (!(await isReadable(store, loop.id))) continue;
    const one = all.loop(loop);
    one.end(await readLoop(store.entries(loop.id), one.iteration));
  }
  return all.stats((task) => facts.get(task) ?? null);
}

const isReadable = async (store: Workspace["store"], loop: string): Promise<boolean> =>
  (await store.check(loop)).damage === null;

const isOf = ({ part }: LoopSummary, spec: string | undefined, facts: ReadonlyMap<string, TaskFacts | null>): boolean =>
  spec === undefined || (part !== null && facts.get(part.task)?.spec === spec);

/** Null if the task was deleted and only its loops are left. */
async function factsOf(tasks: TaskStore, id: string): Promise<TaskFacts | null> {
  try {
    const { task, state } = await tasks.load(id);
    let sentBack = 0;
    for await (const { event } of tasks.entries(id)) {
      const found = event.type === "stage.ended" && event.reason === "faults-found";
      if (found || event.type === "merge.refused") sentBack += 1;
    }
    return { title: task.title, spec: task.specId, status: task.status, attempt: state.attempt, sentBack };
  } catch (error) {
    if (error instanceof RalphError && error.code === "task-unknown") return null;
    throw error;
  }
}
