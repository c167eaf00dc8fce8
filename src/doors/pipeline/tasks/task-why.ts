import { RalphError } from "../../../core/errors.ts";
import { firstNamed } from "../../../core/excerpt.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { isLevel, LEVEL_WORDS } from "../../../core/proof/level.ts";
import { taskStanding } from "../../../core/report/standing.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import { type StoryStage, type StoryStep, storyOf } from "../../../core/task/story.ts";
import { decidedWords } from "../../../core/why-decided.ts";
import { loopBlobs, type Workspace } from "../../../core/workspace.ts";
import { loopOfTask, withHolder } from "../../../engine/named.ts";
import { journalOf } from "../../../runtime/readable-journal.ts";
import { loopStory } from "../../../runtime/why-loop.ts";
import { failingTestsOf } from "../../../verify/counting/failing-tests.ts";

/** A step of a task's story; a stage that failed with what decided it. */
export type TaskStep = StoryStep & { decided?: string };

/** A task in three lines: how it stands, what decided or decides, the command to type next. */
export interface TaskWhy {
  isOpen: boolean;
  decided: string;
  next: string;
}

export async function whyTask(workspace: Workspace, { task, state }: LoadedTask): Promise<TaskWhy> {
  const { id } = task;
  const held = await workspace.leases.isTaken({ kind: "task", id });
  const stands = taskStanding(id, state, held);
  if (!stands) return idle(workspace, { task, state });
  const { standing, why, next } = stands;
  if (standing === "done") return { isOpen: false, decided: mergedWords({ task, state }), next };
  if (standing === "running") return { isOpen: true, decided: await stageDecides(workspace, { task, state }), next };
  return {
    isOpen: false,
    decided: [why, await failedTests(workspace, state.failure?.loop)].filter(Boolean).join("; "),
    next: state.blocked === null ? next : `fix it, then ralph execute --task ${id}`,
  };
}

/** The tests that failed in the loop that failed last. */
async function failedTests(workspace: Workspace, loop: string | undefined): Promise<string> {
  const state = loop === undefined ? null : await stateOf(workspace, loop);
  const checks = state?.turn?.verdict?.checks ?? [];
  const failing = await failingTestsOf(loopBlobs(workspace, loop ?? ""), checks);
  const tests = checks.flatMap((check) => failing(check));
  return tests.length > 0 ? `failed: ${firstNamed(tests)}` : "";
}

type Known = Pick<LoadedTask, "task" | "state">;

function mergedWords({ state }: Known): string {
  const { merged, work, proof, weak = [] } = state;
  return [
    `every stage passed, and so did the checks on the merge result: ${(merged ?? "").slice(0, HASH_CHARS)} in ${work?.target ?? ""}`,
    ...(proof ? [LEVEL_WORDS[proof].means] : []),
    ...(weak.length > 0 ? [`weakened: ${weak.join("; ")}`] : []),
  ].join("; ");
}

const HASH_CHARS = 10;

async function stageDecides(workspace: Workspace, { state }: Known): Promise<string> {
  const loop = await loopOfTask(workspace, state.loop);
  if (!loop) return state.at === "merge" ? "the checks on the merge result" : `the ${state.at}`;
  const story = await loopStory(workspace, await withHolder(workspace, loop), await journalOf(workspace, loop.id));
  return `the ${state.at} (loop ${loop.id}): ${story.decided}`;
}

/** Not started, or dropped. */
async function idle({ tasks }: Workspace, { task, state }: Known): Promise<TaskWhy> {
  if (state.status === "cancelled")
    return { isOpen: false, decided: "it was dropped", next: `ralph task update ${task.id} --status todo` };
  const needed = await Promise.all(task.dependencies.map((id) => tasks.find(id)));
  const open = needed.filter(({ status }) => status !== "done").map(({ id, status }) => `${id} (${status})`);
  const [first] = needed.filter(({ status }) => status !== "done");
  if (first) return { isOpen: true, decided: `it waits for ${open.join(", ")}`, next: `ralph why ${first.id}` };
  const failed = state.failure ? `${state.failure.stage} failed: ${state.failure.reason}; ` : "";
  return { isOpen: true, decided: `${failed}an execution has to take it`, next: "ralph execute" };
}

/** Every step of a task: its attempts and rounds, who sent it back and why, its merges. */
export async function* taskSteps(workspace: Workspace, id: string): AsyncGenerator<TaskStep> {
  for await (const step of storyOf(workspace.tasks.entries(id))) yield await withReason(workspace, step);
}

/** The last steps of a task's story, and how many were before them. */
export async function lastSteps(workspace: Workspace, id: string, most: number) {
  const steps: StoryStep[] = [];
  let earlier = 0;
  for await (const step of storyOf(workspace.tasks.entries(id))) {
    steps.push(step);
    if (steps.length <= most) continue;
    steps.shift();
    earlier++;
  }
  const shown: TaskStep[] = [];
  for (const step of steps) shown.push(await withReason(workspace, step));
  return { steps: shown, earlier };
}

const withReason = async (workspace: Workspace, step: StoryStep): Promise<TaskStep> =>
  step.is === "stage" ? { ...step, ...(await decidedBy(workspace, step)) } : step;

/** What decided that a stage failed, with failing tests; nothing if its loop cannot be read. */
async function decidedBy(workspace: Workspace, { loop, reason, effect }: StoryStage): Promise<{ decided?: string }> {
  if (reason === null || isLevel(reason) || effect === "sent-back") return {};
  const state = await stateOf(workspace, loop);
  if (!state) return {};
  const failing = await failingTestsOf(loopBlobs(workspace, loop), state.turn?.verdict?.checks ?? []);
  return { decided: decidedWords(state, failing) };
}

/** Null if its journal is damaged, or gone. */
async function stateOf({ store }: Workspace, loop: string): Promise<LoopState | null> {
  try {
    return (await store.glance(loop)).state;
  } catch (error) {
    if (error instanceof RalphError) return null;
    throw error;
  }
}
