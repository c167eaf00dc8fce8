import { relative } from "node:path";
import { printable } from "../../core/ansi.ts";
import { formatDuration } from "../../core/duration.ts";
import type { CheckResult, StopReason } from "../../core/loop/events.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import { iterationsDone, type LoopState } from "../../core/loop/state.ts";
import { agentLabel } from "../../core/loop/words.ts";
import { commandName } from "../../core/proof/commands.ts";
import { leavesOf } from "../../core/proof/proof.ts";
import { proofOf, weakIn } from "../../core/proof/shown.ts";
import type { LoopRun } from "../../runtime/run-loop.ts";
import type { View } from "../../verify/ports-request.ts";
import { endLines } from "./end-lines.ts";
import { linesOf, noteLine, settledName } from "./event-lines.ts";
import { isLively, isOnePlace, keepStatus, ownTerminal } from "./live.ts";
import { paint } from "./paint.ts";
import { count, waitWords } from "./phrases.ts";
import { print, printJson, tell } from "./print.ts";
import { followProgress } from "./progress.ts";
import { openScreen, type Screen } from "./screen.ts";
import { statusText } from "./status-line.ts";

export interface OutputOptions {
  streamAgentOutput?: boolean;
  raw?: boolean;
  quiet?: boolean;
  json?: boolean;
}

/** What a loop looks like from the outside: for people on standard error, for scripts as JSON Lines. */
export interface Console {
  view: View;
  /** Answers a signal, which a terminal may have echoed in the middle of a line. */
  answer(line: string): void;
  begin(run: LoopRun): void;
  entry(change: LoopChange): void;
  /** Says how it ended; returns the reason. */
  end(run: LoopRun, state: LoopState): StopReason;
  /** Leaves nothing on the screen that is not meant to stay. */
  close(): void;
}

export const openConsole = (options: OutputOptions): Console => (options.json ? jsonConsole() : textConsole(options));

const nothing = () => undefined;
const onNewLine = (line: string) => tell(`\n${line}`);

function jsonConsole(): Console {
  return {
    view: { raw: false, show: nothing, check: nothing, note: printJson },
    answer: onNewLine,
    begin: nothing,
    entry: ({ entry }) => printJson(entry),
    end(run, state) {
      const reason = state.stopped?.reason ?? "interrupted";
      const { spent, stopped } = state;
      printJson({
        type: "result",
        loop: run.id,
        reason,
        proof: proofOf(reason),
        weak: weakIn(state),
        detail: stopped?.detail,
        iterations: iterationsDone(state),
        ...(state.proved ? { proved: { proved: state.proved.proved, of: state.proved.of } } : {}),
        spent,
        receipt: receiptOf(run),
      });
      return reason;
    },
    close: nothing,
  };
}

function textConsole({ quiet = false, raw = false, streamAgentOutput = true }: OutputOptions): Console {
  const { screen, lively } = openOutput(quiet);
  const progress = followProgress();
  const live = lively ? keepStatus(screen, () => statusText(progress.current(), Date.now())) : null;
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
      alarm: (line) => paint("red", line),
      ...(live ? { hear: progress.hear } : {}),
      check(kind, command, result) {
        progress.check(kind, command, result === null);
        // The status line tells what runs; without one the beginning is told as well.
        // How a check answers before any work is told when all have: a failure is none then.
        const told = result ? kind !== "baseline" : !live;
        say(...(told ? [checkLine(kind, command, result)] : []));
      },
      // Told also when nothing else is: who relies on a notification has to know that it did not arrive.
      note: (note) => screen.tell(noteLine(note)),
    },
    answer: live ? screen.tell : onNewLine,
    begin(run) {
      const { state } = run;
      progress.begin(state);
      say(
        `${paint("bold", "ralph")} loop ${paint("cyan", run.id)}  ${printable(run.spec.title)}`,
        paint("dim", `  ${planOf(run)}`),
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
      for (const line of endLines(run.id, last, { failedEffects, receipt: receiptOf(run) })) screen.tell(line);
      return last.stopped?.reason ?? "interrupted";
    },
    close: () => live?.close(),
  };
}

/** The receipt's path as it is seen from here. */
function receiptOf(run: LoopRun): string | null {
  const path = run.receipt();
  return path && relative(process.cwd(), path);
}

/** Where both streams end in one place, the two voices are kept apart there. */
export function openOutput(quiet: boolean): { screen: Screen; lively: boolean } {
  const lively = !quiet && isLively();
  if (isOnePlace()) return { screen: openScreen(ownTerminal(lively)), lively };
  return {
    screen: {
      show: print,
      showAside: (output) => void process.stderr.write(output),
      tell,
      draw: nothing,
      erase: nothing,
    },
    lively: false,
  };
}

function planOf({ spec: { agents, proof, guardrails, cwd }, limits }: LoopRun): string {
  const most =
    limits.maxIterations === null ? "no iteration limit" : `up to ${count(limits.maxIterations, "iteration")}`;
  const elsewhere = cwd === process.cwd() ? [] : [`in ${cwd}`];
  const gates = [count(leavesOf(proof.stages).length, "check"), count(guardrails.length, "guardrail")];
  const who = agents.map((_agent, i) => agentLabel(agents, i)).join(", then ");
  return [`agent ${who}`, most, ...gates, ...elsewhere].join(" · ");
}

/** A claim cannot stand while they differ, so whoever resumes is told before another iteration is paid for. */
function changedLines({ id, changed, state: { stopped } }: LoopRun): string[] {
  if (changed.length === 0 || stopped) return [];
  return [
    paint("yellow", `  ! changed since it began: ${printable(changed.join(", "))}`),
    paint("dim", `    if that was you: ralph resume ${id} --accept-changes, or ralph run for changed settings`),
  ];
}

/** A loop that is taken up in the middle of a wait goes on waiting. */
function waitLine({ wait, voids }: LoopState): string[] {
  if (!wait) return [];
  const why = voids ? [voids.why, voids.detail].filter(Boolean).join(": ") : "";
  return [paint("yellow", `  ${waitWords(wait.untilMs, why)}`)];
}

/** A command that begins, or how it ended. */
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
