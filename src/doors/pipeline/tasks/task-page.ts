import { nullOn, RalphError } from "../../../core/errors.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { leafWords } from "../../../core/proof/methods.ts";
import { leavesOf } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { AGENT_ROLES, type AgentRole, ROLES } from "../../../core/task/role.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import { isBegun, type Task } from "../../../core/task/task.ts";
import { cardOf } from "../../../core/view/card.ts";
import type { TaskPage } from "../../../core/view/task-page.ts";
import { type StageProof, taskPage } from "../../../core/view/task-page-of.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopOfTask, withHolder } from "../../../engine/named.ts";
import { pulseOf } from "../../../runtime/view/loop-pulse.ts";
import { stageProof, stagesOf } from "../stage/proof.ts";
import { taskSettings } from "./done-means.ts";
import { lastSteps, whyTask } from "./task-why.ts";

/** Of a task that is retried endlessly. */
const MOST_STEPS = 60;
const MOST_LOOPS = 200;

/** Everything that a face shows about a task. Takes no lease. */
export async function taskPageOf(workspace: Workspace, id: string): Promise<TaskPage> {
  const { tasks, store } = workspace;
  const loaded = await tasks.load(id);
  const { task, state } = loaded;
  const loops = await store.summaries({ task: id, limit: MOST_LOOPS });
  const why = await whyTask(workspace, loaded);
  const settings = await settingsOr(workspace.cwd);
  const needed = await Promise.all(task.dependencies.map((one) => tasks.find(one).catch(nullOn("task-unknown"))));
  const dependencies = needed.flatMap((one) => (one ? [{ id: one.id, title: one.title, status: one.status }] : []));
  return taskPage({
    card: await cardFor(workspace, loaded, { loops, waitsFor: openOf(dependencies) }),
    ...{ task, state, ...why, loops, dependencies },
    stages: state.execution === null ? stagesOf(settings) : state.stages,
    proofs: proofsOf(task, settings),
    proved: await provedState(workspace, loops),
    ...(await lastSteps(workspace, id, MOST_STEPS)),
    followups: (await tasks.list({ parent: id })).map((followup) => followup.id),
  });
}

const openOf = (dependencies: TaskPage["dependencies"]): string[] =>
  dependencies.filter(({ status }) => status !== "done").map(({ id }) => id);

interface Beside {
  loops: readonly LoopSummary[];
  waitsFor: readonly string[];
}

async function cardFor(workspace: Workspace, { task, state }: LoadedTask, { loops, waitsFor }: Beside) {
  const loop = loops.find(({ id }) => id === task.loop) ?? (await loopOfTask(workspace, task.loop));
  return cardOf({
    ...{ task, state, loop, waitsFor },
    pulse: loop && (await pulseOf(workspace, await withHolder(workspace, loop))),
    spent: await workspace.rows.spentOn(task.id),
    driven: isBegun(task) && (await workspace.leases.isTaken({ kind: "task", id: task.id })),
  });
}

/** Settings that cannot be read are no reason to hide a task. */
async function settingsOr(cwd: string): Promise<Settings> {
  try {
    return (await taskSettings(cwd)).settings;
  } catch (error) {
    if (error instanceof RalphError) return {};
    throw error;
  }
}

const proofsOf = (task: Task, settings: Settings) =>
  Object.fromEntries(AGENT_ROLES.map((role) => [role, proofOf(task, role, settings)])) as Record<AgentRole, StageProof>;

function proofOf(task: Task, role: AgentRole, settings: Settings): StageProof {
  try {
    const { criteria, proof } = stageProof(task, role, settings);
    return {
      method: criteria.verification_method ?? criteria.verification_template ?? ROLES[role].method,
      promise: criteria.promise,
      maxIterations: criteria.max_iterations,
      checks: leavesOf(proof.stages).map(leafWords),
    };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    // Such as a template that the settings no longer have.
    const { method, promise, maxIterations } = ROLES[role];
    return { method, promise, maxIterations, checks: [error.message] };
  }
}

/** The newest loop that has verified something. */
async function provedState({ store }: Workspace, loops: readonly LoopSummary[]): Promise<LoopState | null> {
  const found = loops.find(({ proved }) => proved !== null);
  if (!found) return null;
  try {
    return (await store.glance(found.id)).state;
  } catch (error) {
    if (error instanceof RalphError) return null;
    throw error;
  }
}
