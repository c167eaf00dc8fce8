import { printable } from "../../../core/ansi.ts";
import { counted } from "../../../core/excerpt.ts";
import type { CheckResult } from "../../../core/loop/events.ts";
import { labelsOf } from "../../../core/proof/level-of.ts";
import { isStage, ROLES } from "../../../core/task/role.ts";
import type { ExecutionView, Scene } from "../../../doors/pipeline/context.ts";
import type { ExecutionEnd } from "../../../doors/pipeline/execution-end.ts";
import type { ExecutionPlan } from "../../../doors/pipeline/open.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { linesOf, type Moment, noteLine } from "../views/event-lines.ts";
import { executionEndLines, planLines } from "../views/execution-ends.ts";
import { taskEventLines, waitsLine } from "../views/execution-lines.ts";
import { checkLine, openOutput } from "./console.ts";
import { type Footer, footerLines } from "./execution-footer.ts";
import { keepStatus, type Live } from "./status-screen.ts";

interface ConsoleOptions {
  quiet?: boolean;
  json?: boolean;
  strict?: boolean;
}

export interface ExecutionConsole {
  view: ExecutionView;
  /** Whether a footer can be drawn. */
  lively: boolean;
  answer(line: string): void;
  begin(plan: ExecutionPlan): void;
  /** Draws the footer until the end. */
  follow(footer: () => Footer): Pick<Live, "touch">;
  /** Keeps the lines, while something else has the screen. */
  hold(): void;
  /** Prints what was kept, and these lines after it. */
  release(lines: readonly string[]): void;
  end(end: ExecutionEnd): void;
  /** Removes the footer. */
  close(): void;
}

export const openExecutionConsole = (cli: Cli, options: ConsoleOptions): ExecutionConsole =>
  options.json ? jsonConsole(cli) : textConsole(cli, options);

const nothing = () => undefined;

function jsonConsole(cli: Cli): ExecutionConsole {
  return {
    view: {
      task: (task, event, { status, attempt, rounds }) =>
        cli.printJson({ type: "task", task, status, attempt, rounds, event }),
      entry: ({ task, place }, { entry }) => cli.printJson({ type: "entry", task, place, ...entry }),
      check: () => undefined,
      note: (note) => (note.type === "files.excluded" ? undefined : cli.printJson(note)),
      say: (task, words) => cli.printJson({ type: "note", task, words }),
    },
    lively: false,
    answer: cli.answer,
    begin: (plan) => cli.printJson({ type: "plan", ...plan }),
    follow: () => ({ touch: nothing }),
    hold: nothing,
    release: nothing,
    end: (end) => cli.printJson({ type: "result", ...end }),
    close: nothing,
  };
}

function textConsole(cli: Cli, { quiet = false, strict }: ConsoleOptions): ExecutionConsole {
  const { screen, lively } = openOutput(cli, { quiet });
  let live: Live | null = null;
  let held: HeldLines | null = null;
  const tell = (line: string) => {
    if (held) held.add(line);
    else if (lively) screen.tell(line);
    else cli.report(line);
    live?.touch();
  };
  const close = () => {
    live?.close();
    live = null;
  };
  const say = (...lines: string[]) => {
    if (!quiet) for (const line of lines) tell(line);
  };
  const marked = (scene: Scene, lines: readonly string[]) =>
    say(...lines.map((line) => `${nameOf(scene)} ${line.replace(INDENT, "$1")}`));
  /** The first task that waits for each reason. */
  const waiting = new Map<string, string>();
  /** Tasks whose stages continue earlier work. */
  const again = new Set<string>();
  return {
    view: {
      task: (id, event, state) => {
        if (event.type === "stage.began" && (state.attempt > 1 || state.rounds > 0)) again.add(id);
        const first = event.type === "merge.waits" ? waiting.get(event.why) : undefined;
        if (event.type === "merge.waits" && first === undefined) waiting.set(event.why, id);
        say(...(first === undefined ? taskEventLines(id, event, state) : [waitsLine(id, `as ${first}`)]));
      },
      entry: (scene, { entry: { event }, before, after }) => {
        const moment = { event, before, after };
        const isFresh = isStage(scene.place) && ROLES[scene.place].implements && !again.has(scene.task);
        if (!isWorthShowing(moment, isFresh)) return;
        const lines = linesOf(moment);
        marked(scene, event.type === "turn.ended" && lines.length === 0 ? [SILENT] : lines);
      },
      check: (scene, kind, command, result) => {
        // A setup may take minutes, and nothing else is shown for the task until then.
        if (result ? kind !== "baseline" : kind === "set-up") marked(scene, [checkLine(kind, command, result)]);
      },
      note: (note) => (note.type === "files.excluded" ? say : tell)(noteLine(note)),
      say: (task, words) => tell(paint("yellow", `${task === null ? "" : `${task} `}! ${printable(words)}`)),
    },
    lively,
    answer: (line) => (held || lively ? tell(line) : cli.answer(line)),
    begin: (plan) => say(...planLines(plan)),
    hold() {
      held = heldLines();
    },
    release(lines) {
      const all = [...(held?.lines() ?? []), ...lines];
      held = null;
      for (const line of all) tell(line);
    },
    follow(footer) {
      close();
      if (lively) live = keepStatus(cli, screen, (size) => footerLines(footer(), Date.now(), size));
      live?.touch();
      return { touch: () => live?.touch() };
    },
    end(end) {
      close();
      for (const line of executionEndLines(end, strict)) tell(line);
    },
    close,
  };
}

/** Of more lines than these, the first ones are left out: the journal has them. */
const MOST_HELD = 5_000;

interface HeldLines {
  add(line: string): void;
  lines(): string[];
}

function heldLines(): HeldLines {
  const kept: string[] = [];
  let dropped = 0;
  return {
    add(line) {
      kept.push(line);
      if (kept.length > MOST_HELD) dropped += kept.splice(0, kept.length - MOST_HELD).length;
    },
    lines: () => [...(dropped > 0 ? [paint("dim", `… ${counted(dropped, "earlier line")}`)] : []), ...kept],
  };
}

/** The indentation of a line, which may follow a colour. */
const INDENT = /^((?:\u001b\[\d+m)*) +/;

const SILENT = paint("yellow", "ended without its promise");

/** Whether an event is shown among the lines of other tasks; `ralph why` has the rest. */
function isWorthShowing({ event }: Moment, isFresh: boolean): boolean {
  switch (event.type) {
    // Checks should only fail if no work was done yet.
    case "baseline.taken":
      return (
        event.results.some(({ is }) => is === "unknown") ||
        (isFresh && event.results.every((one) => one.optional || isGreen(one)))
      );
    case "effect.settled":
      return event.is !== "skipped";
    // The verified stage and each check have their own lines.
    case "claim.judged":
      return (
        event.verdict.is !== "pass" || labelsOf(event.verdict.checks).length > 0 || !event.verdict.checks.every(isGreen)
      );
    default:
      return true;
  }
}

const isGreen = ({ is }: CheckResult): boolean => is === "pass";

const nameOf = ({ task, place }: Scene): string => paint("dim", `${task} ${place}:`);
