import { nullOn, RalphError } from "../../../core/errors.ts";
import { keptSettings } from "../../../core/loop/kept-settings.ts";
import type { LoopSpec } from "../../../core/loop/spec.ts";
import { pausesTask } from "../../../core/loop/stop-reasons.ts";
import { leafWords } from "../../../core/proof/methods.ts";
import { leavesOf } from "../../../core/proof/proof.ts";
import { type Forecast, forecastOf, type TaskAhead } from "../../../core/task/forecast.ts";
import { reduceTask } from "../../../core/task/reduce.ts";
import { AGENT_ROLES, type AgentRole, isStage } from "../../../core/task/role.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import { isBegun, type Task } from "../../../core/task/task.ts";
import type { TaskLimits } from "../../../core/task/work.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { partLoopState } from "../../../runtime/part-loop.ts";
import type { PipelineSettings } from "../settings.ts";
import { isAdaptive, suggestion } from "../stage/adaptive.ts";
import { stageSpec } from "../stage/stage.ts";
import { type LeftTask, whyLeft } from "../stalled-tasks.ts";
import { startOrder } from "./order.ts";

/** A stage of a task that will run. */
export interface StageAhead {
  place: AgentRole;
  maxIterations: number;
  /** What is checked, in words; empty: the promise alone decides, and for a reviewer its approval. */
  checks: readonly string[];
  commands: readonly string[];
}

/** A task that will run. */
export interface PlannedTask extends Pick<Task, "id" | "title" | "specId" | "status"> {
  /** Unfinished tasks that come before it. */
  after: readonly string[];
  branch: string;
  attempt: number;
  /** The stages that it still needs; empty: only its merge. */
  left: readonly AgentRole[];
  stages: readonly StageAhead[];
  warnings: readonly string[];
  /** What its unfinished loop keeps of earlier settings. */
  kept: readonly string[];
}

export interface TasksAhead {
  tasks: readonly PlannedTask[];
  /** Tasks that will not run, and why. */
  waiting: readonly LeftTask[];
  forecast: Forecast;
}

export interface AheadRequest {
  workspace: Workspace;
  settings: PipelineSettings;
  spec: string | null;
  only: readonly string[] | null;
  stages: readonly AgentRole[];
  limits: TaskLimits;
  maxCostUsd: number | null;
  restart: boolean;
  cwd: string;
}

/** What an execution would do with each task. Reads only. */
export async function tasksAhead(request: AheadRequest): Promise<TasksAhead> {
  const { workspace, settings, only, spec, limits, maxCostUsd } = request;
  const { tasks, store } = workspace;
  const filter = spec === null ? {} : { spec };
  const released = async (id: string) => ({ ...(await tasks.find(id)), ...RELEASED });
  const listed = only === null ? await tasks.list(filter) : await Promise.all(only.map(released));
  const done = new Set((await tasks.list({ status: ["done"] })).map(({ id }) => id));
  const order = startOrder(listed, (id) => done.has(id));
  const past = await store.summaries({ limit: MOST_LOOPS });
  const planned: PlannedTask[] = [];
  const waiting: LeftTask[] = [];
  const ahead: TaskAhead[] = [];
  for (const { id, after } of order) {
    try {
      const loaded = startedAs(request, await tasks.load(id));
      const { specs, ...one } = plannedTask(request, loaded, past);
      planned.push({ ...one, after, kept: await keptOf(request, loaded, specs) });
      ahead.push({ ...one, rounds: loaded.state.rounds });
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      waiting.push({ task: id, why: error.text(": ") });
    }
  }
  const ordered = new Set(order.map(({ id }) => id));
  for (const { id, status } of listed) {
    if (ordered.has(id) || status === "done" || status === "cancelled") continue;
    waiting.push({ task: id, ...(await whyWaiting(workspace, id)) });
  }
  const loopUsd = settings.all.maxCostUsd ?? null;
  return { tasks: planned, waiting, forecast: forecastOf(ahead, { limits, budgetUsd: maxCostUsd, loopUsd, past }) };
}

/** Enough for an average. */
const MOST_LOOPS = 2_000;

/** `--task` also starts a task that is held, blocked or cancelled, from its first attempt. */
const RELEASED = { status: "todo", held: false } as const;

/** A task after what `--task` and `--restart` do first. */
function startedAs({ only, restart }: AheadRequest, { state, ...loaded }: LoadedTask): LoadedTask {
  const isOut = state.held || state.status === "blocked" || state.status === "cancelled";
  if (isOut && only !== null) return { ...loaded, state: reduceTask(state, { type: "task.retried", by: "" }) };
  const again = restart && isBegun(state) && state.work !== null;
  return { ...loaded, state: again ? reduceTask(state, { type: "task.restarted", by: "" }) : state };
}

/** What the unfinished loop of a task keeps of earlier settings. */
async function keptOf(
  { workspace }: AheadRequest,
  { state }: LoadedTask,
  specs: readonly LoopSpec[],
): Promise<string[]> {
  const known = state.loop === null ? null : await partLoopState(workspace.store, state.loop);
  const now = specs.find(({ part }) => part?.place === state.at);
  if (!known?.spec || !now || (known.stopped && !pausesTask(known.stopped.reason))) return [];
  return keptSettings({ ...known.spec, limits: known.limits }, now);
}

type Past = Parameters<typeof suggestion>[1];

function plannedTask(request: AheadRequest, { task, state }: LoadedTask, past: Past) {
  const { stages } = request;
  const planned = stages.map((place) => stageAhead(request, { task, place, past }));
  return {
    ...{ id: task.id, title: task.title, specId: task.specId, status: state.status, attempt: state.attempt },
    branch: `task/${task.id}`,
    left: stagesLeft(state, request),
    stages: planned.map(({ stage }) => stage),
    warnings: planned.flatMap(({ warnings }) => warnings),
    specs: planned.map(({ spec }) => spec),
  };
}

function stagesLeft(state: TaskState, { stages, limits }: AheadRequest): AgentRole[] {
  const { at } = reduceTask(state, { type: "task.taken", execution: "", stages, limits });
  if (!state.work) return [...stages];
  return isStage(at) ? stages.filter((role) => AGENT_ROLES.indexOf(role) >= AGENT_ROLES.indexOf(at)) : [];
}

interface StageOf {
  task: Task;
  place: AgentRole;
  past: Past;
}

function stageAhead(request: AheadRequest, { task, place, past }: StageOf) {
  const { settings, stages, cwd } = request;
  const adaptive = isAdaptive(task, place, settings.all) ? suggestion(place, past, settings.all) : null;
  const { spec, warnings } = stageSpec({
    ...{ task, place, stages, cwd, spec: null, findings: null, base: "", execution: "" },
    settings: settings.all,
    agents: settings.agents[place],
    limits: adaptive ? { maxIterations: adaptive.maxIterations } : {},
  });
  const leaves = leavesOf(spec.proof.stages);
  const stage: StageAhead = {
    place,
    maxIterations: spec.limits.maxIterations ?? 1,
    checks: leaves.map(leafWords),
    commands: leaves.flatMap((leaf) => (leaf.method === "external" ? [leaf.command] : [])),
  };
  return { stage, warnings, spec };
}

async function whyWaiting(workspace: Workspace, id: string): Promise<Omit<LeftTask, "task">> {
  const loaded = await workspace.tasks.load(id).catch(nullOn("journal-damaged"));
  if (!loaded) return { why: `its journal is damaged: \`ralph task show ${id}\`` };
  if (loaded.state.proposedBy !== null)
    return { why: `proposed by an agent: \`ralph task accept ${id}\` lets it run`, stuck: true };
  return whyLeft(workspace, { isForeign: () => false, pinned: (task) => task }, id);
}
