import { printable } from "../core/ansi.ts";
import { dollars, totalTokens } from "../core/usage.ts";
import type { ExecutionEnd } from "../wire/pipeline/execution.ts";
import type { ExecutionView, Scene } from "../wire/pipeline/execution-view.ts";
import type { ExecutionPlan } from "../wire/pipeline/open.ts";
import { checkLine } from "./console.ts";
import { linesOf, noteLine } from "./event-lines.ts";
import { taskLines } from "./execution-lines.ts";
import { paint } from "./paint.ts";
import { printJson, tell } from "./print.ts";
import { count } from "./words.ts";

interface ConsoleOptions {
  quiet?: boolean;
  json?: boolean;
}

/** What an execution looks like from the outside: for people on standard error, for scripts as JSON Lines. */
export interface ExecutionConsole {
  view: ExecutionView;
  answer(line: string): void;
  begin(plan: ExecutionPlan): void;
  end(end: ExecutionEnd): void;
}

export const openExecutionConsole = ({ json, quiet }: ConsoleOptions): ExecutionConsole =>
  json ? jsonConsole() : textConsole(quiet ?? false);

const onNewLine = (line: string) => tell(`\n${line}`);

function jsonConsole(): ExecutionConsole {
  return {
    view: {
      task: (task, event, { status, attempt, rounds }) =>
        printJson({ type: "task", task, status, attempt, rounds, event }),
      entry: ({ task, place }, entry) => printJson({ type: "entry", task, place, ...entry }),
      check: () => undefined,
      note: printJson,
      say: (task, words) => printJson({ type: "note", task, words }),
    },
    answer: onNewLine,
    begin: (plan) => printJson({ type: "plan", ...plan }),
    end: (end) => printJson({ type: "result", ...end }),
  };
}

function textConsole(quiet: boolean): ExecutionConsole {
  const say = (...lines: string[]) => {
    if (!quiet) for (const line of lines) tell(line);
  };
  const marked = (scene: Scene, lines: readonly string[]) =>
    say(...lines.map((line) => `${nameOf(scene)} ${line.trimStart()}`));
  return {
    view: {
      task: (id, event, state) => say(...taskLines(id, event, state)),
      entry: (scene, { event }, moment) => marked(scene, linesOf({ event, ...moment })),
      check: (scene, kind, command, result) => {
        if (result && kind !== "baseline") marked(scene, [checkLine(kind, command, result)]);
      },
      note: (note) => tell(noteLine(note)),
      say: (task, words) => tell(paint("yellow", `${task === null ? "" : `${task} `}! ${printable(words)}`)),
    },
    answer: onNewLine,
    begin: (plan) => say(...planLines(plan)),
    end: (end) => {
      for (const line of endLines(end)) tell(line);
    },
  };
}

const nameOf = ({ task, place }: Scene): string => paint("dim", `${task} ${place}:`);

function planLines({ stages, target, maxParallel, agents }: ExecutionPlan): string[] {
  const who = Object.entries(agents).map(([stage, agent]) => `${stage} ${agent}`);
  return [
    `${paint("bold", "ralph execute")}  ${stages.join(" → ")} → ${target}`,
    paint("dim", `  ${count(maxParallel, "task")} at once · ${who.join(", ")}`),
  ];
}

/** How it ended: what is done, what is not and why, what it took, what to do next. */
function endLines({ stopped, counts, tasks, spent }: ExecutionEnd): string[] {
  const { done = 0, cancelled = 0, ...open } = counts;
  const left = Object.values(open).reduce((sum, n) => sum + n, 0);
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
  ];
  const waiting = Object.entries(tasks)
    .filter(([, end]) => end === "waits")
    .map(([id]) => id);
  return [
    `${mark} ${why}: ${parts.join(", ")}${facts.length > 0 ? paint("dim", ` (${facts.join(", ")})`) : ""}`,
    ...(waiting.length > 0 ? [paint("yellow", `  proven, and waiting to be merged: ${waiting.join(", ")}`)] : []),
    ...(left > 0 ? [paint("dim", "  look: ralph task list · ralph task show <task> · ralph execute goes on")] : []),
  ];
}
