import { relative } from "node:path";
import { printable } from "../../../core/ansi.ts";
import { formatDuration } from "../../../core/duration.ts";
import { counted } from "../../../core/excerpt.ts";
import type { CheckResult, StopReason } from "../../../core/loop/events.ts";
import type { LoopChange } from "../../../core/loop/kind.ts";
import { EARLIER_HINT, earlierWords } from "../../../core/loop/left-out.ts";
import { iterationsDone, type LoopState, stopOf } from "../../../core/loop/state.ts";
import { agentLabel } from "../../../core/loop/words.ts";
import { commandName } from "../../../core/proof/methods/external.ts";
import { leavesOf } from "../../../core/proof/proof.ts";
import { proofOf, weakIn } from "../../../core/proof/shown.ts";
import type { LoopRun } from "../../../runtime/drive-loop.ts";
import type { LoopWatcher } from "../../../runtime/loop-watcher.ts";
import { wrapCells } from "../../terminal/cells.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { rawOutput, shownOutput } from "../output/agent-output.ts";
import { waitWords } from "../output/phrases.ts";
import { endLines } from "../views/end-lines.ts";
import { linesOf, noteLine, settledName } from "../views/event-lines.ts";
import { followProgress } from "./progress.ts";
import { openScreen, type Screen } from "./screen.ts";
import { statusLine } from "./status-line.ts";
import { isLively, isOnePlace, keepStatus, terminalOf } from "./status-screen.ts";

export interface OutputOptions {
  streamAgentOutput?: boolean;
  raw?: boolean;
  quiet?: boolean;
  json?: boolean;
}

/** The output of a loop: text on standard error, or JSON Lines. */
export interface Console {
  view: LoopWatcher;
  answer(line: string): void;
  begin(run: LoopRun): void;
  entry(change: LoopChange): void;
  /** Reports how it ended; returns the reason. */
  end(run: LoopRun, state: LoopState): StopReason;
  /** Removes the status line. */
  close(): void;
}

export const openConsole = (cli: Cli, options: OutputOptions): Console =>
  options.json ? jsonConsole(cli) : textConsole(cli, options);

const nothing = () => undefined;

function jsonConsole(cli: Cli): Console {
  return {
    view: {
      raw: false,
      show: nothing,
      check: nothing,
      note: (note) => (note.type === "files.excluded" ? undefined : cli.printJson(note)),
    },
    answer: cli.answer,
    begin: nothing,
    entry: ({ entry }) => cli.printJson(entry),
    end(run, state) {
      const { reason } = stopOf(state);
      const { spent, stopped } = state;
      cli.printJson({
        type: "result",
        loop: run.id,
        reason,
        proof: proofOf(reason),
        weak: weakIn(state),
        detail: stopped?.detail,
        iterations: iterationsDone(state),
        ...(state.proved ? { proved: { proved: state.proved.proved, of: state.proved.of } } : {}),
        spent,
        receipt: receiptOf(cli, run),
      });
      return reason;
    },
    close: nothing,
  };
}

function textConsole(cli: Cli, { quiet = false, raw = false, streamAgentOutput = true }: OutputOptions): Console {
  const { screen, lively } = openOutput(cli, { quiet, raw });
  const progress = followProgress();
  const live = lively
    ? keepStatus(cli, screen, ({ columns }) => statusLine(progress.current(), Date.now(), columns))
    : null;
  const streams = streamAgentOutput && !quiet;
  const failedEffects = new Map<string, string>();
  const say = (...lines: string[]) => {
    if (quiet) return;
    for (const line of lines) screen.tell(line);
    live?.touch();
  };
  const stream = (output: Buffer | string) => {
    const held = screen.show(output);
    live?.touch();
    return held;
  };
  return {
    view: {
      raw,
      show: streams ? stream : nothing,
      showAside: (output) => {
        if (streams) screen.showAside(output);
        live?.touch();
        return undefined;
      },
      alarm: (line) => cli.shown(paint("red", line)),
      colours: true,
      ...(live ? { hear: progress.hear } : {}),
      check(kind, command, result) {
        progress.check(kind, command, result === null);
        // The status line shows what runs; without one the start of a check is shown as well.
        // Baseline results are shown together when all are known: a failing check is normal then.
        const isShown = result ? kind !== "baseline" : !live;
        say(...(isShown ? [checkLine(kind, command, result)] : []));
      },
      // Reported also with --quiet: a lost notification must be noticed.
      note: (note) => (note.type === "files.excluded" ? say : screen.tell)(noteLine(note)),
    },
    answer: live ? screen.tell : cli.answer,
    begin(run) {
      const { state } = run;
      progress.begin(state);
      say(
        `${paint("bold", "ralph")} loop ${paint("cyan", run.id)}  ${printable(run.spec.title)}`,
        paint("dim", `  ${planOf(run, cli.cwd())}`),
        ...earlierLine(state),
        ...waitLine(state),
        ...changedLines(run),
      );
    },
    entry({ entry, before, after }) {
      const { event } = entry;
      progress.entry(entry, after);
      if (event.type === "effect.settled" && event.is === "failed")
        failedEffects.set(settledName(before), event.detail);
      say(...linesOf({ event, before, after }));
    },
    end(run, last) {
      live?.close();
      for (const line of endLines(run.id, last, { failedEffects, receipt: receiptOf(cli, run) })) screen.tell(line);
      return stopOf(last).reason;
    },
    close: () => live?.close(),
  };
}

function receiptOf(cli: Cli, run: LoopRun): string | null {
  const path = run.receipt();
  return path && relative(cli.cwd(), path);
}

/** If both streams go to the same terminal or file, the agent's output and Ralph's lines are kept apart. */
export function openOutput(
  cli: Cli,
  { quiet, raw = false }: { quiet: boolean; raw?: boolean },
): { screen: Screen; lively: boolean } {
  const lively = !quiet && isLively(cli.process);
  const isTogether = isOnePlace(cli.process);
  const screen = isTogether ? openScreen(terminalOf(cli, lively)) : apartScreen(cli);
  const output = raw ? rawOutput : shownOutput(cli.colours);
  const { stderr } = cli.process;
  const inWords = (line: string) => (stderr.isTTY ? wrapCells(line, stderr.columns || 80) : line);
  return {
    screen: {
      ...screen,
      show: (piece) => screen.show(output.pass(piece)),
      tell(line) {
        void screen.show(output.flush());
        screen.tell(inWords(cli.shown(line)));
      },
      draw: (text) => screen.draw(cli.shown(text)),
    },
    lively: lively && isTogether,
  };
}

const apartScreen = ({ printRaw, report, process: { stderr } }: Cli): Screen => ({
  show: printRaw,
  showAside: (output) => void stderr.write(output),
  tell: report,
  draw: nothing,
  erase: nothing,
});

function planOf({ spec: { agents, proof, guardrails, cwd }, limits }: LoopRun, here: string): string {
  const most =
    limits.maxIterations === null ? "no iteration limit" : `up to ${counted(limits.maxIterations, "iteration")}`;
  const elsewhere = cwd === here ? [] : [`in ${cwd}`];
  const gates = [counted(leavesOf(proof.stages).length, "check"), counted(guardrails.length, "guardrail")];
  const who = agents.map((_agent, i) => agentLabel(agents, i)).join(", then ");
  return [`agent ${who}`, most, ...gates, ...elsewhere].join(" · ");
}

/** Claims are refused while these files differ, so the user is warned before paying for another iteration. */
function changedLines({ id, changed, state: { stopped } }: LoopRun): string[] {
  if (changed.length === 0 || stopped) return [];
  return [
    paint("yellow", `  ! changed since it started: ${printable(changed.join(", "))}`),
    paint("dim", `    if that was you: ralph resume ${id} --accept-changes, or ralph run for changed settings`),
  ];
}

/** Reported before any work, so that the user can commit or stop. */
function earlierLine({ earlier, n }: LoopState): string[] {
  if (!earlier?.files || n > 0) return [];
  return [paint("yellow", `  ! ${earlierWords(earlier)}`), paint("dim", `    ${EARLIER_HINT}`)];
}

/** A loop that is resumed during a wait keeps waiting. */
function waitLine({ wait, voids }: LoopState): string[] {
  if (!wait) return [];
  const why = voids ? [voids.why, voids.detail].filter(Boolean).join(": ") : "";
  return [paint("yellow", `  ${waitWords(wait.untilMs, why)}`)];
}

/** The start of a command, or its result. */
export function checkLine(kind: string, command: string, result: CheckResult | null): string {
  const name = commandName(printable(command));
  if (!result) return paint("dim", `  … ${kind}: ${name}`);
  const missed = result.optional ? paint("yellow", "!") : paint("red", "✗");
  const mark = result.is === "pass" ? paint("green", "✓") : missed;
  const facts = [
    result.reason,
    formatDuration(result.ms),
    ...(result.cached ? ["cached"] : []),
    ...(result.since ? [result.since] : []),
  ];
  return `  ${mark} ${kind}: ${name} ${paint("dim", `(${facts.join(", ")})`)}`;
}
