import { printable } from "../../../core/ansi.ts";
import { counted, shorten } from "../../../core/excerpt.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { isLevel } from "../../../core/proof/level.ts";
import { taskEventWords } from "../../../core/task/event-words.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import type { StoryRound } from "../../../core/task/story.ts";
import {
  mergeWords,
  roundWords,
  sentBackWords,
  stageEndWords,
  stageWhy,
  standWords,
} from "../../../core/task/story-words.ts";
import { dollars } from "../../../core/usage.ts";
import { clockTime } from "../../../core/view/clock.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { type TaskStep, taskSteps, whyTask } from "../../../doors/pipeline/tasks/task-why.ts";
import { loopOfTask } from "../../../engine/named.ts";
import { explainLoop } from "../../../runtime/why-loop.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { toned } from "./end-lines.ts";
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

function standingMark(state: LoadedTask["state"]): string {
  const { status, proof, held, waits } = state;
  const words = standWords(state);
  if (status === "done") return proof ? toned(proof, words) : paint("green", words);
  if (status === "blocked") return paint("red", words);
  return paint(held || waits !== null ? "yellow" : "bold", words);
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

function roundLine(step: StoryRound): string {
  const back = sentBackWords(step);
  return `${paint("bold", roundWords(step))}${back ? `, ${back}` : ""} ${paint("dim", `(${clockTime(step.atMs)})`)}`;
}

const PLACE_CHARS = 9;
const FINDINGS = 10;
const TEXT_CHARS = 400;

function stageLines(step: TaskStep & { is: "stage" }): string[] {
  const { place, loop, reason, iterations, findings, weak, decided } = step;
  const name = `  ${place.padEnd(PLACE_CHARS)}`;
  const words = stageEndWords(step);
  const facts = paint("dim", `(${reason === null ? "" : `${counted(iterations, "iteration")}, `}loop ${loop})`);
  if (reason === null) return [`${name} ${paint("cyan", words)} ${facts}`];
  if (isLevel(reason))
    return [`${name} ${toned(reason, words)} ${facts}`, ...weak.map((one) => `${INDENT}weak: ${printable(one)}`)];
  const why = stageWhy(step, decided);
  return [
    `${name} ${paint("red", words)} ${facts}`,
    ...(why ? [`${INDENT}${shorten(printable(why), TEXT_CHARS)}`] : []),
    ...findingLines(findings),
  ];
}

const INDENT = " ".repeat(PLACE_CHARS + 3);

const findingLines = (findings: readonly string[]): string[] => [
  ...findings.slice(0, FINDINGS).map((finding) => `${INDENT}- ${shorten(printable(finding), TEXT_CHARS)}`),
  ...(findings.length > FINDINGS ? [`${INDENT}- and ${findings.length - FINDINGS} more`] : []),
];

function eventLines(step: TaskStep & { is: "event" }): string[] {
  const { event, atMs } = step;
  const merge = mergeWords(step);
  if (merge !== null) {
    const isRefused = event.type === "merge.refused";
    const line = `  ${"merge".padEnd(PLACE_CHARS)} ${isRefused ? paint("red", merge) : merge}`;
    return [line, ...(isRefused ? findingLines(event.findings) : [])];
  }
  switch (event.type) {
    case "task.blocked":
      return [`  ${paint("red", "■ blocked")}: ${shorten(printable(event.why), TEXT_CHARS)}`];
    case "work.prepared":
      return [`  ${taskEventWords(event)}`];
    default:
      return ["", `${taskEventWords(event)} ${paint("dim", `(${clockTime(atMs)})`)}`];
  }
}
