import { formatDuration } from "../../../core/duration.ts";
import { counted, firstNamed, firstOf, shorten } from "../../../core/excerpt.ts";
import { dollars } from "../../../core/usage.ts";
import type { ExecutionOutline } from "../../../doors/pipeline/plan/execution-plan.ts";
import type { PlannedTask, StageAhead } from "../../../doors/pipeline/plan/tasks-ahead.ts";
import { keptWords } from "../../../doors/pipeline/stage/restart.ts";
import { agentWords, type Row } from "../commands/dry-run.ts";
import { costWords, iterationWords } from "./forecast-lines.ts";

/** `ralph execute --dry-run`: a name and its lines for everything that decides. */
export const outlineRows = (outline: ExecutionOutline, cwd: string): Row[] => [
  ["tasks", taskLines(outline)],
  [
    "not now",
    firstOf(
      outline.waiting.map(({ task, why }) => `${task} ${shorten(why || "nothing runs it", WHY_CHARS)}`),
      MOST_TASKS,
    ),
  ],
  ["stages", outline.stages.map((place) => stageWords(outline, place))],
  ["agents", agentLines(outline)],
  ["set-up", [setUpWords(outline)]],
  ["guardrails", [...outline.guardrails]],
  ["merge", mergeLines(outline, cwd)],
  ["parallel", [`${counted(outline.maxParallel, "task")} at once (--max-parallel), merged one at a time`]],
  ["limits", [limitWords(outline)]],
  ["iterations", [iterationWords(outline.forecast)]],
  ["cost", [costWords(outline.forecast)]],
];

const MOST_TASKS = 30;
const WHY_CHARS = 300;
const TITLE_CHARS = 70;

function taskLines({ tasks, stages }: ExecutionOutline): string[] {
  const shown = tasks.slice(0, MOST_TASKS).flatMap((task, i) => {
    const facts = [
      ...(task.after.length > 0 ? [`after ${task.after.join(", ")}`] : []),
      ...(task.attempt > 1 ? [`attempt ${task.attempt}`] : []),
      ...(task.left.length < stages.length ? [`continues at ${task.left[0] ?? "its merge"}`] : []),
    ];
    const note = facts.length > 0 ? `  (${facts.join("; ")})` : "";
    return [
      `${i + 1}. ${task.id} ${shorten(task.title, TITLE_CHARS)}${note}`,
      `→ done when: ${doneWords(task)}`,
      ...(task.kept.length > 0 ? [`! ${keptWords(task.left[0] ?? "", task.kept)}`] : []),
      ...task.warnings.slice(0, 1).map((warning) => `! ${warning}`),
    ];
  });
  return tasks.length > MOST_TASKS ? [...shown, `… ${tasks.length - MOST_TASKS} more: --json lists them`] : shown;
}

/** The checks of all stages, each once. */
function doneWords({ id, stages }: PlannedTask): string {
  const commands = new Set(stages.flatMap((stage) => stage.commands));
  const others = new Set(stages.flatMap(othersOf));
  const all = [...commands, ...others];
  return all.length > 0
    ? firstNamed(all)
    : `its agents say so (promise-only, the weakest proof); ralph task update ${id} --verify "<command>" adds a check`;
}

/** What is no command: judges, plugins, hidden checks. */
const othersOf = ({ checks, commands }: StageAhead): string[] =>
  checks.filter((words) => !commands.some((command) => words.startsWith(command)) && !words.startsWith("string_match"));

function stageWords({ tasks }: ExecutionOutline, place: string): string {
  const most = tasks
    .flatMap(({ stages }) => stages.filter((stage) => stage.place === place))
    .map((one) => one.maxIterations);
  const [low, high] = [Math.min(...most), Math.max(...most)];
  if (most.length === 0) return place;
  return `${place}: at most ${low === high ? "" : `${low} to `}${counted(high, "iteration")}`;
}

/** Each command line once, with its stages. */
function agentLines({ stages, agents }: ExecutionOutline): string[] {
  const lines = new Map<string, string[]>();
  for (const place of stages) {
    const words = (agents[place] ?? []).map(agentWords).join(", then ");
    lines.set(words, [...(lines.get(words) ?? []), place]);
  }
  return [...lines].map(([words, places]) => (lines.size === 1 ? words : `${places.join(", ")}: ${words}`));
}

const setUpWords = ({ setUp }: ExecutionOutline): string =>
  setUp === null
    ? 'none; "ralph": {"worktree": {"setup": "<command>"}} in the settings sets one'
    : `${setUp.command}, in every worktree${setUp.folder === "" ? "" : ` (folder ${setUp.folder})`}`;

function mergeLines({ target, stages }: ExecutionOutline, cwd: string): string[] {
  const { branch, checkout, notice } = target;
  const into = `${stages.join(" → ")} → checks on the merged result → ${branch}`;
  if (checkout === null) return [into, `${branch} is checked out nowhere: only the branch moves`];
  const where = checkout.path === cwd ? "here" : `in ${checkout.path}`;
  return [into, notice ?? `${branch} is checked out ${where} and clean: its files are updated`];
}

function limitWords({ limits: { maxAttempts, maxRounds, maxCostUsd, maxMs } }: ExecutionOutline): string {
  return [
    `${counted(maxAttempts, "attempt")} a task`,
    `sent back to the coder at most ${counted(maxRounds, "time")} an attempt`,
    maxCostUsd === null ? "any cost" : `${dollars(maxCostUsd)} (--max-cost)`,
    maxMs === null ? "any duration" : `${formatDuration(maxMs)} (--max-duration)`,
  ].join(", ");
}
