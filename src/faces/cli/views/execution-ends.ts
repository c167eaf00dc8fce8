import { printable } from "../../../core/ansi.ts";
import { counted, firstNamed, firstOf, shorten } from "../../../core/excerpt.ts";
import { isStrictEnough, LEVELS } from "../../../core/proof/level.ts";
import { dollars, totalTokens } from "../../../core/usage.ts";
import type { ExecutionEnd } from "../../../doors/pipeline/execution.ts";
import type { ExecutionPlan } from "../../../doors/pipeline/open.ts";
import { paint } from "../output/paint.ts";
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
    ...(spent.costUsd > 0 ? [dollars(spent.costUsd)] : []),
    ...(totalTokens(spent) > 0 ? [`${totalTokens(spent)} tokens`] : []),
  ];
  const why = stopped ? `${stopped.as} (${stopped.by})` : left === 0 ? "all done" : `${left} not done`;
  const mark = left === 0 && !stopped ? paint("green", "✓") : paint("yellow", "■");
  const parts = [
    `${done} done`,
    ...Object.entries(open).map(([status, n]) => `${n} ${status}`),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(proposed > 0 ? [`${proposed} proposed`] : []),
  ];
  return [
    `${mark} ${why}: ${parts.join(", ")}${facts.length > 0 ? paint("dim", ` (${facts.join(", ")})`) : ""}`,
    ...proofLines(end, strict),
    ...(left > 0 ? [...leftLines(end), ...nextLines(end)] : []),
    ...changedLines(end),
    ...(proposed > 0 ? [proposedLine(proposed)] : []),
  ];
}

/** The proof levels of the tasks that were completed. */
function proofLines({ proofs, weakened }: ExecutionEnd, strict: boolean): string[] {
  const found = Object.values(proofs);
  const counted = LEVELS.map((level) => ({ level, tasks: found.filter((proof) => proof === level).length }));
  const words = counted.filter(({ tasks }) => tasks > 0).map(({ level, tasks }) => markOf(level, `${tasks} ${level}`));
  const weak = weakProofs(proofs);
  return [
    ...(words.length > 0 ? [`  proof: ${words.join(", ")}${weakenedWords(weakened)}`] : []),
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

const proposedLine = (n: number): string =>
  paint(
    "dim",
    `  ${counted(n, "task")} proposed by agents, which do not run until you accept them: ralph task list --status proposed · ralph task accept <id>`,
  );

/** How many completed tasks have a weakened proof, and where to look. */
function weakenedWords(weakened: readonly string[]): string {
  const [first] = weakened;
  return first === undefined ? "" : paint("yellow", ` (${weakened.length} weakened: ralph task show ${first})`);
}

export const nothingToDo = (): readonly string[] => [
  "Nothing to do: there are no tasks here yet.",
  paint("dim", '  ralph task add "<what to do>" · ralph task import <file>'),
];

const SHOWN = 10;
const WHY_CHARS = 300;

function leftLines({ left }: ExecutionEnd): string[] {
  const reasons = new Map<string, string[]>();
  for (const { task, why } of left) reasons.set(why, [...(reasons.get(why) ?? []), task]);
  const lines = [...reasons]
    .slice(0, SHOWN)
    .map(([why, tasks]) => `  ${paint("cyan", firstNamed(tasks, SHOWN))} ${shorten(printable(why), WHY_CHARS)}`);
  return reasons.size > SHOWN ? [...lines, paint("dim", "  … ralph task list shows the others")] : lines;
}

/** The next execution resumes interrupted tasks; blocked and held ones need --task. */
function nextLines({ stopped, left }: ExecutionEnd): string[] {
  const stuck = left.find(({ stuck }) => stuck)?.task;
  const words = [
    ...(stopped ? ["ralph execute resumes"] : []),
    ...(stuck ? [`ralph task show ${stuck} shows more`, `ralph execute --task ${stuck} tries it again`] : []),
  ];
  return words.length > 0 ? [paint("dim", `  ${words.join(" · ")}`)] : [];
}
