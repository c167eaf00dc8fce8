import { printable } from "../../../core/ansi.ts";
import { counted, shorten } from "../../../core/excerpt.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { isLevel } from "../../../core/proof/level.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import type { StoryRound } from "../../../core/task/story.ts";
import { dollars } from "../../../core/usage.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { type TaskStep, taskSteps, whyTask } from "../../../doors/pipeline/tasks/task-why.ts";
import { loopOfTask } from "../../../engine/named.ts";
import { explainLoop } from "../../../runtime/why-loop.ts";
import type { Cli } from "../context.ts";
import { paint } from "../output/paint.ts";
import { clockTime } from "../output/phrases.ts";
import { markOf } from "./end-lines.ts";
import { taskEventWords } from "./task-lines.ts";
import { headLines } from "./why-head.ts";

/** A whole task: how it stands, what decided, what to do; effect stage by stage and round by round. */
export async function printTask(cli: Cli, workspace: Workspace, id: string, json: boolean): Promise<void> {
  const loaded = await workspace.tasks.load(id);
  const why = await whyTask(workspace, loaded);
  const loops = await workspace.store.summaries({ task: id });
  if (json) return cli.printJson(await documentOf(workspace, loaded, why));
  const head = { ...why, ended: endedWords(loaded, loops) };
  for (const line of headLines(head)) cli.printWords(line);
  const outcome = loaded.task.completionSpec?.outcome;
  if (outcome) cli.printWords(`\n  outcome   ${printable(outcome)}`);
  for await (const step of taskSteps(workspace, id)) for (const line of stepLines(step)) cli.printWords(line);
  const last = loops[0];
  if (last) cli.printWords(`\n${paint("dim", `each loop: ralph why <loop>, such as ralph why ${last.id}`)}`);
}

/** The document of its current loop, as before, and the task. */
async function documentOf(workspace: Workspace, { task, state }: LoadedTask, why: { decided: string; next: string }) {
  const loop = await loopOfTask(workspace, task.loop);
  const steps: TaskStep[] = [];
  for await (const step of taskSteps(workspace, task.id)) steps.push(step);
  const { id, title, status } = task;
  const { attempt, rounds, proof, blocked, waits, merged, weak = [] } = state;
  return {
    ...(loop ? await explainLoop(workspace, loop) : {}),
    task: { id, title, status, attempt, rounds, proof, weak, blocked, waits, merged, ...why, steps },
  };
}

function endedWords({ task, state }: LoadedTask, loops: readonly LoopSummary[]): string {
  const cost = loops.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const facts = [
    task.id,
    ...(state.execution === null ? [] : [`attempt ${state.attempt} of ${state.limits.maxAttempts}`]),
    ...(state.rounds > 0 ? [`sent back ${state.rounds === 1 ? "once" : `${state.rounds} times`}`] : []),
    ...(loops.length > 0 ? [counted(loops.length, "loop")] : []),
    ...(cost > 0 ? [dollars(cost)] : []),
  ];
  return `${standingMark(state)}: ${printable(task.title)} ${paint("dim", `(${facts.join(", ")})`)}`;
}

function standingMark({ status, proof, held, waits, at }: LoadedTask["state"]): string {
  if (status === "done") return proof ? markOf(proof, `merged, ${proof}`) : paint("green", "✓ merged");
  if (status === "blocked") return paint("red", "■ blocked");
  if (held) return paint("yellow", "■ held");
  if (waits !== null) return paint("yellow", "■ proven, not merged yet");
  if (status === "todo" || status === "cancelled" || status === "proposed") return paint("bold", `… ${status}`);
  return paint("bold", `… ${status}${at === status ? "" : ` (${at})`}`);
}

function stepLines(step: TaskStep): string[] {
  switch (step.is) {
    case "round":
      return ["", roundLine(step)];
    case "stage":
      return stageLines(step);
    case "event":
      return eventLines(step);
  }
}

function roundLine({ attempt, round, sentBackBy, atMs }: StoryRound): string {
  const back = sentBackBy ? `, sent back by ${sentBackBy === "merge" ? "the merge" : `the ${sentBackBy}`}` : "";
  return `${paint("bold", `attempt ${attempt}, round ${round}`)}${back} ${paint("dim", `(${clockTime(atMs)})`)}`;
}

const PLACE_CHARS = 9;
const FINDINGS = 10;
const TEXT_CHARS = 400;

function stageLines(step: TaskStep & { is: "stage" }): string[] {
  const { place, loop, reason, detail, iterations, findings, weak, effect, decided } = step;
  const name = `  ${place.padEnd(PLACE_CHARS)}`;
  const facts = paint("dim", `(${reason === null ? "" : `${counted(iterations, "iteration")}, `}loop ${loop})`);
  if (reason === null) return [`${name} ${paint("cyan", "has not ended")} ${facts}`];
  if (isLevel(reason))
    return [`${name} ${markOf(reason)} ${facts}`, ...weak.map((words) => `${INDENT}weak: ${printable(words)}`)];
  const ends = { "sent-back": "sent the task back to the coder", blocked: "blocked the task", failed: "failed" };
  const why = effect === "sent-back" ? detail : decided || detail;
  return [
    `${name} ${paint("red", `✗ ${effect === "passed" || effect === "open" ? reason : ends[effect]}: ${reason}`)} ${facts}`,
    ...(why && findings.length === 0 ? [`${INDENT}${shorten(printable(why), TEXT_CHARS)}`] : []),
    ...findingLines(findings),
  ];
}

const INDENT = " ".repeat(PLACE_CHARS + 3);

const findingLines = (findings: readonly string[]): string[] => [
  ...findings.slice(0, FINDINGS).map((finding) => `${INDENT}- ${shorten(printable(finding), TEXT_CHARS)}`),
  ...(findings.length > FINDINGS ? [`${INDENT}- and ${findings.length - FINDINGS} more`] : []),
];

function eventLines({ event, effect, atMs }: TaskStep & { is: "event" }): string[] {
  switch (event.type) {
    case "merge.refused":
      return [
        `  ${"merge".padEnd(PLACE_CHARS)} ${paint("red", `✗ ${effect === "blocked" ? "blocked the task" : "sent the task back to the coder"}`)}`,
        ...findingLines(event.findings),
      ];
    case "merge.proven":
    case "task.merged":
    case "merge.waits":
    case "work.updated":
      return [`  ${"merge".padEnd(PLACE_CHARS)} ${taskEventWords(event).replace(/^merge /, "")}`];
    case "task.blocked":
      return [`  ${paint("red", "■ blocked")}: ${shorten(printable(event.why), TEXT_CHARS)}`];
    case "task.taken":
      return ["", `${taskEventWords(event)} ${paint("dim", `(${clockTime(atMs)})`)}`];
    case "work.prepared":
      return [`  ${taskEventWords(event)}`];
    default:
      return ["", `${taskEventWords(event)} ${paint("dim", `(${clockTime(atMs)})`)}`];
  }
}
