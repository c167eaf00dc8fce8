import { printable } from "../core/ansi.ts";
import { formatDuration } from "../core/duration.ts";
import type { CheckResult, Entry, LoopEvent, StopReason, TurnEnded } from "../core/loop/events.ts";
import { type Note, noteWords } from "../core/loop/notes.ts";
import { iterationsDone, type LoopState } from "../core/loop/state.ts";
import { agentLabel, reasonWords } from "../core/loop/words.ts";
import { totalTokens } from "../core/usage.ts";
import type { View } from "../wire/engine-ports.ts";
import type { LoopRun } from "../wire/run-loop.ts";
import { paint } from "./paint.ts";
import { print, printJson, tell } from "./print.ts";

export interface OutputOptions {
  streamAgentOutput?: boolean;
  raw?: boolean;
  quiet?: boolean;
  json?: boolean;
}

/** What a loop looks like from the outside: for people on standard error, for scripts as JSON Lines. */
export interface Console {
  view: View;
  begin(run: LoopRun): void;
  entry(entry: Entry): void;
  /** Says how it ended; returns the reason. */
  end(run: LoopRun, state: LoopState): StopReason;
}

export const openConsole = (options: OutputOptions): Console => (options.json ? jsonConsole() : textConsole(options));

function jsonConsole(): Console {
  return {
    view: { raw: false, show: () => undefined, check: () => undefined, note: printJson },
    begin: () => undefined,
    entry: printJson,
    end(run, state) {
      const reason = state.stopped?.reason ?? "interrupted";
      const { spent, stopped } = state;
      printJson({
        type: "result",
        loop: run.id,
        reason,
        detail: stopped?.detail,
        iterations: iterationsDone(state),
        spent,
      });
      return reason;
    },
  };
}

function textConsole({ quiet = false, raw = false, streamAgentOutput = true }: OutputOptions): Console {
  const say = quiet ? () => undefined : tell;
  const streams = streamAgentOutput && !quiet;
  let run: LoopRun;
  let failedEffect = "";
  return {
    view: {
      raw,
      show: streams ? print : () => undefined,
      check: quiet ? () => undefined : showCheck,
      note: showNote,
    },
    begin(started) {
      run = started;
      const { id, spec } = run;
      say(`${paint("bold", "ralph")} loop ${paint("cyan", id)}  ${printable(spec.title)}`);
      say(paint("dim", `  ${planOf(run)}`));
    },
    entry({ event }) {
      if (event.type === "effect.settled" && event.is === "failed") failedEffect = event.detail;
      for (const line of linesOf(event, run)) say(line);
    },
    end({ id }, state) {
      for (const line of endLines(id, state)) tell(line);
      if (failedEffect) tell(paint("red", `  a commit failed on the way: ${printable(failedEffect)}`));
      return state.stopped?.reason ?? "interrupted";
    },
  };
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

function planOf({ spec: { agents, checks, guardrails, cwd }, limits }: LoopRun): string {
  const most =
    limits.maxIterations === null ? "no iteration limit" : `up to ${count(limits.maxIterations, "iteration")}`;
  const elsewhere = cwd === process.cwd() ? [] : [`in ${cwd}`];
  const gates = [count(checks.length, "check"), count(guardrails.length, "guardrail")];
  const who = agents.map((_agent, i) => agentLabel(agents, i)).join(", then ");
  return [`agent ${who}`, most, ...gates, ...elsewhere].join(" · ");
}

/** On a terminal the line of a command that runs becomes the line of its result. */
function showCheck(kind: string, command: string, result: CheckResult | null, together = false): void {
  const name = printable(command.split("\n")[0] ?? "");
  if (!result) {
    const line = paint("dim", `  … ${kind}: ${name}`);
    return void process.stderr.write(process.stderr.isTTY && !together ? line : `${line}\n`);
  }
  const mark = result.is === "pass" ? paint("green", "✓") : paint("red", "✗");
  const line = `  ${mark} ${kind}: ${name} ${paint("dim", `(${result.reason}, ${formatDuration(result.ms)})`)}`;
  tell(process.stderr.isTTY ? `\r\u001b[K${line}` : line);
}

/** Told also when nothing else is: who relies on a notification has to know that it did not arrive. */
export function showNote(note: Note): void {
  const line = paint("yellow", `  ${printable(noteWords(note))}`);
  tell(process.stderr.isTTY ? `\r\u001b[K${line}` : line);
}

function linesOf(event: LoopEvent, { limits: { maxIterations: max }, spec: { guardrails } }: LoopRun): string[] {
  switch (event.type) {
    case "guards.ended":
      return event.results.flatMap((result, i) =>
        result.is === "pass"
          ? []
          : [paint("red", `  ✗ vetoed (${guardrails[i]?.failAction})`), ...feedbackLine(result)],
      );
    case "turn.began": {
      const again = event.attempt > 1 ? `, attempt ${event.attempt}` : "";
      return [paint("bold", `── iteration ${event.n}${max === null ? "" : `/${max}`}${again} ──`)];
    }
    case "turn.ended":
      return turnLines(event);
    case "turn.voided": {
      if (event.why === "interrupted") return [];
      const until = event.retryAtMs === null ? "" : `, waiting until ${new Date(event.retryAtMs).toLocaleTimeString()}`;
      return [paint("yellow", `  ${event.why}: ${printable(event.detail)}${until} (uses no iteration)`)];
    }
    case "claim.judged": {
      const { verdict } = event;
      if (verdict.is === "pass") return [paint("green", `  ✓ proven: ${printable(verdict.reason)}`)];
      return [
        paint("red", `  ✗ not proven (${verdict.is}): ${printable(verdict.reason)}`),
        ...verdict.checks.flatMap(feedbackLine),
      ];
    }
    case "effect.settled":
      return [
        `  ${event.is === "failed" ? paint("red", "✗") : paint("green", "✓")} commit ${event.is}: ${printable(event.detail)}`,
      ];
    default:
      return [];
  }
}

/** What the next iteration will be told of a command that did not pass. */
function feedbackLine({ is, command, reason, excerpt }: CheckResult): string[] {
  if (is === "pass") return [];
  const lines = excerpt.trim() === "" ? 0 : excerpt.trim().split("\n").length;
  return [paint("dim", `  → feedback: ${printable(command)}, ${reason}, ${count(lines, "line")} of output`)];
}

function turnLines({ failed, blocked, claim, doubts }: TurnEnded): string[] {
  if (failed) return [paint("red", `  ✗ the agent failed (${failed.kind}): ${printable(failed.detail)}`)];
  if (blocked) return [paint("yellow", `  blocked: ${printable(blocked)}`)];
  const against = doubts.filter((doubt) => doubt.is === "contradicted" || !claim).slice(0, 3);
  return [
    ...(claim ? [`  claim: ${printable(claim.quote)}`] : []),
    ...against.map((doubt) => paint("yellow", `  doubt (${doubt.rule}): “${printable(doubt.quote)}”`)),
  ];
}

function endLines(id: string, state: LoopState): string[] {
  const { reason = "interrupted", detail = "" } = state.stopped ?? {};
  const { means, next } = reasonWords(reason, id);
  const label = reason === "verified" ? state.turn?.verdict?.label : undefined;
  const mark = reason === "verified" ? paint("green", "✓ verified") : paint("yellow", `■ ${reason}`);
  const facts = [
    count(iterationsDone(state), "iteration"),
    formatDuration(state.activeMs),
    ...(state.spent.costUsd > 0 ? [`$${state.spent.costUsd.toFixed(2)}`] : []),
    ...(totalTokens(state.spent) > 0 ? [`${totalTokens(state.spent)} tokens`] : []),
  ];
  return [
    `${mark}: ${printable(detail || means)} ${paint("dim", `(${facts.join(", ")})`)}`,
    ...(label ? [paint("yellow", `  ${label}: add --verify "<command>" so that proof ends the loop`)] : []),
    ...(next ? [paint("dim", `  next: ${next}`)] : []),
    paint("dim", `  look: ralph why ${id} · ralph logs ${id}`),
  ];
}
