import { printable } from "../../../core/ansi.ts";
import { formatDuration } from "../../../core/duration.ts";
import { counted, firstNamed, firstOf, shorten } from "../../../core/excerpt.ts";
import { isStrictEnough, LEVELS } from "../../../core/proof/level.ts";
import { equalReasons } from "../../../core/report/equal-reasons.ts";
import { dollars, totalTokens } from "../../../core/usage.ts";
import type { ExecutionEnd } from "../../../doors/pipeline/execution-end.ts";
import type { ExecutionPlan } from "../../../doors/pipeline/open.ts";
import { paint } from "../../terminal/paint.ts";
import { markOf } from "./end-lines.ts";
import { costWords, iterationWords } from "./forecast-lines.ts";

export function planLines({ stages, target, maxParallel, agents, forecast }: ExecutionPlan): string[] {
  const [first, ...others] = new Set(Object.values(agents));
  const who = Object.entries(agents).map(([stage, agent]) => `${stage} ${agent}`);
  return [
    `${paint("bold", "ralph execute")}  ${stages.join(" → ")} → ${target}`,
    paint(
      "dim",
      `  ${counted(maxParallel, "task")} at once · ${others.length === 0 ? `agent ${first}` : who.join(", ")}`,
    ),
    ...(forecast.tasks > 0
      ? [paint("dim", `  iterations: ${iterationWords(forecast)}`), paint("dim", `  cost: ${costWords(forecast)}`)]
      : []),
    paint("dim", "  ralph status: where they are · ralph logs -f <task>: what its agent prints"),
  ];
}

/** How it ended: what is done, what is not and why, its cost, what to do next. */
export function executionEndLines(end: ExecutionEnd, strict = false): string[] {
  const { stopped, counts, spent } = end;
  const { done = 0, cancelled = 0, proposed = 0, ...open } = counts;
  const left = Object.values(open).reduce((sum, n) => sum + n, 0);
  if (!stopped && done + cancelled + proposed + left === 0) return [...nothingToDo()];
  const facts = [
    formatDuration(end.ms),
    ...(spent.costUsd > 0 ? [dollars(spent.costUsd)] : []),
    ...(totalTokens(spent) > 0 ? [`${totalTokens(spent)} tokens`] : []),
  ];
  const why = stopped ? `${stopped.as} (${stopped.by})` : left === 0 ? "all done" : `${left} not done`;
  const mark = left === 0 && !stopped ? paint("green", "✓") : paint("yellow", "■");
  const parts = [
    `${done} done`,
    ...openParts(open, end.left),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(proposed > 0 ? [`${proposed} proposed`] : []),
  ];
  return [
    `${mark} ${why}: ${parts.join(", ")}${facts.length > 0 ? paint("dim", ` (${facts.join(", ")})`) : ""}`,
    ...mergedLines(end, strict),
    ...(left > 0 ? leftLines(end) : []),
    ...changedLines(end),
    nextLine(end, proposed),
  ];
}

/** What is open, by status; a task that only has to be merged is not in QA any more. */
function openParts({ qa = 0, ...open }: ExecutionEnd["counts"], left: ExecutionEnd["left"]): string[] {
  const proven = Math.min(qa, left.filter((task) => task.proven).length);
  const counts = { ...open, qa: qa - proven, "proven, not merged": proven };
  return Object.entries(counts).flatMap(([status, n]) => (n > 0 ? [`${n} ${status}`] : []));
}

/** What this execution merged, with the proof levels and what is weak. */
function mergedLines({ tasks, proofs, weakened }: ExecutionEnd, strict: boolean): string[] {
  const merged = Object.values(tasks).filter((end) => end === "done").length;
  const found = Object.values(proofs);
  const counts = LEVELS.map((level) => ({ level, tasks: found.filter((proof) => proof === level).length }));
  const words = counts.filter(({ tasks }) => tasks > 0).map(({ level, tasks }) => markOf(level, `${tasks} ${level}`));
  const weak = weakProofs(proofs);
  return [
    ...(merged > 0 ? [`  merged ${[merged, ...words].join(", ")}${weakenedWords(weakened)}`] : []),
    ...(strict && weak.length > 0
      ? [paint("yellow", `  --strict requires judged or better: ${shorten(weak.join(", "), WHY_CHARS)}`)]
      : []),
  ];
}

/** The tasks that --strict does not accept. */
export const weakProofs = (proofs: ExecutionEnd["proofs"]): string[] =>
  Object.entries(proofs).flatMap(([task, proof]) => (proof === null || isStrictEnough(proof) ? [] : [task]));

function changedLines({ changed }: ExecutionEnd): string[] {
  if (changed.length === 0) return [];
  const named = changed.map(({ task, what }) => (task === null ? what : `${task} (${what})`));
  const list = printable(firstOf(named, SHOWN).join(", "));
  return [paint("yellow", `  changed during the execution, takes effect at the next ralph execute: ${list}`)];
}

/** How many completed tasks have a weakened proof, and where to look. */
function weakenedWords(weakened: readonly string[]): string {
  const [first] = weakened;
  return first === undefined
    ? ""
    : paint("yellow", ` (${weakened.length} weakened: ${firstNamed(weakened, WEAK_SHOWN)})`);
}

export const nothingToDo = (): readonly string[] => [
  "Nothing to do: there are no tasks here yet.",
  paint("dim", '  ralph task add "<what to do>" · ralph task import <file>'),
];

const SHOWN = 10;
const WEAK_SHOWN = 3;
const REASONS_SHOWN = 6;
const WHY_CHARS = 300;

/** Equal reasons once. The whole end has at most twelve lines. */
function leftLines({ left }: ExecutionEnd): string[] {
  const reasons = equalReasons(left.map(({ task, why }) => ({ id: task, why })));
  const lines = reasons.slice(0, REASONS_SHOWN).map(({ why, items }) => {
    const names = firstNamed(
      items.map(({ id }) => id),
      SHOWN,
    );
    return `  ${paint("cyan", names)} ${shorten(printable(why), WHY_CHARS)}`;
  });
  const rest = reasons.slice(REASONS_SHOWN).reduce((sum, { items }) => sum + items.length, 0);
  return rest > 0 ? [...lines, paint("dim", `  … and ${counted(rest, "task")} more: ralph task list`)] : lines;
}

/** The next execution resumes interrupted tasks; blocked and held ones need --task. */
function nextLine({ stopped, left }: ExecutionEnd, proposed: number): string {
  const stuck = left.find(({ stuck }) => stuck)?.task;
  const words = [
    ...(stopped ? ["ralph execute resumes"] : []),
    ...(stuck ? [`ralph why ${stuck}`, `ralph execute --task ${stuck} tries it again`] : []),
    ...(proposed > 0 ? [`ralph task list --status proposed (${proposed} wait until you accept them)`] : []),
    "ralph report",
  ];
  return paint("dim", `  next: ${words.join(" · ")}`);
}
