import { printable } from "../../../core/ansi.ts";
import type { Reached, ReplayLimits } from "../../../core/backtest.ts";
import { timeWords } from "../../../core/duration.ts";
import { counted } from "../../../core/excerpt.ts";
import { type AgentHistory, LEAST_SAMPLES } from "../../../core/history.ts";
import { dollars } from "../../../core/usage.ts";
import { paint } from "../../terminal/paint.ts";
import { table } from "../output/table.ts";
import type { Backtest, BacktestRow } from "./backtest.ts";

interface Savings {
  loops: number;
  sooner: number;
  further: number;
  /** Completed loops that would have been stopped earlier. */
  cutOff: string[];
  /** What other loops that would have stopped earlier cost after that point. */
  saved: Reached;
}

const NOTHING: Reached = { iterations: 0, costUsd: 0, tokens: 0, ms: 0 };

/** Adds up what would have been saved, and the loops that would have been lost. */
export function savingsOf(loops: readonly BacktestRow[]): Savings {
  const sooner = loops.flatMap(({ id, replay }) => (replay.is === "sooner" ? [{ id, ...replay }] : []));
  return {
    loops: loops.length,
    sooner: sooner.length,
    further: loops.filter(({ replay }) => replay.is === "further").length,
    cutOff: sooner.filter(({ cutOff }) => cutOff).map(({ id }) => id),
    saved: sooner.filter(({ cutOff }) => !cutOff).reduce((sum, { saved }) => added(sum, saved), NOTHING),
  };
}

const added = (a: Reached, b: Reached): Reached => ({
  iterations: a.iterations + b.iterations,
  costUsd: a.costUsd + b.costUsd,
  tokens: a.tokens + b.tokens,
  ms: a.ms + b.ms,
});

export function backtestLines(result: Backtest, width: number): string[] {
  const running =
    result.running.length > 0 ? [paint("dim", `left out, not stopped yet: ${result.running.join(", ")}`)] : [];
  if (result.loops.length === 0)
    return ['No loop has stopped here yet, so there is nothing to replay. Run some: ralph run "…"', ...running];
  const places = result.places.map(({ place, ...history }) => ({ agent: place, ...history }));
  return [
    ...replayLines(result, width),
    ...running,
    "",
    historyTable("AGENT", result.agents, width),
    ...(places.length > 0 ? ["", historyTable("STAGE", places, width)] : []),
  ];
}

function replayLines({ limits, loops }: Backtest, width: number): string[] {
  const wanted = limitWords(limits);
  if (wanted.length === 0) return ["Name a limit to replay against, such as --max-iterations 5."];
  const changed = loops.filter(({ replay, blind }) => replay.is !== "same" || blind);
  // Columns that a narrow terminal may cut off come last.
  const rows = changed.map((row) => [row.id, endedWords(row), ...madeWords(row), printable(row.agent)]);
  const head = ["LOOP", "ENDED", "WOULD HAVE ENDED", "SAVED", "AGENT", "TASK"];
  return [
    paint("bold", `${counted(loops.length, "loop")} replayed with ${wanted.join(", ")}`),
    ...(rows.length > 0
      ? ["", table([head, ...rows.map((row, i) => [...row, titleOf(changed[i])])], null, width), ""]
      : []),
    ...summaryLines(savingsOf(loops)),
  ];
}

const titleOf = (row: BacktestRow | undefined): string => printable(row?.title ?? "");

function limitWords({ maxIterations, maxCostUsd, maxTokens, maxMs, stuckAfter }: ReplayLimits): string[] {
  return [
    ...(maxIterations == null ? [] : [`at most ${counted(maxIterations, "iteration")}`]),
    ...(maxCostUsd == null ? [] : [`at most ${dollars(maxCostUsd)}`]),
    ...(maxTokens == null ? [] : [`at most ${counted(maxTokens, "token")}`]),
    ...(maxMs == null ? [] : [`at most ${timeWords(maxMs)}`]),
    ...(stuckAfter === undefined ? [] : [stuckAfter === null ? "never stuck" : `stuck after ${stuckAfter}`]),
  ];
}

const endedWords = ({ reason, reached }: BacktestRow): string => `${reason} at ${reached.iterations}`;

function madeWords({ replay, blind }: BacktestRow): [string, string] {
  const unsure = blind ? " (its tree was not watched: stuck cannot be determined)" : "";
  switch (replay.is) {
    case "same":
      return [`the same${unsure}`, ""];
    case "further":
      return [`later${unsure}`, ""];
    case "sooner": {
      const stopped = `${replay.reason} at ${replay.iteration}${replay.cutOff ? ", cut off" : ""}`;
      return [stopped, replay.cutOff ? "" : reachedWords(replay.saved)];
    }
  }
}

const reachedWords = ({ iterations, costUsd, tokens, ms }: Reached): string =>
  [
    counted(iterations, "iteration"),
    ...(costUsd > 0 ? [dollars(costUsd)] : []),
    ...(tokens > 0 ? [counted(tokens, "token")] : []),
    timeWords(ms),
  ].join(", ");

function summaryLines({ loops, sooner, further, cutOff, saved }: Savings): string[] {
  const stopped = sooner - cutOff.length;
  const unchanged = loops - sooner - further;
  return [
    `${stopped} would have stopped earlier without loss${stopped > 0 ? `, saving ${reachedWords(saved)}` : ""}.`,
    cutOff.length > 0
      ? paint("yellow", `${cutOff.length} would have been cut off wrongly, completed later: ${cutOff.join(", ")}.`)
      : "None that was completed would have been cut off.",
    ...(further > 0 ? [`${further} would have continued; how they would have ended is unknown.`] : []),
    `${unchanged} would have ended as before.`,
  ];
}

function historyTable(what: string, agents: readonly AgentHistory[], width: number): string {
  const rows = agents.map(({ agent, loops, completed, verified, iterations, suggestion }) => [
    printable(agent),
    String(loops),
    share(completed, loops),
    share(verified, loops),
    iterations ? `${iterations.median} / ${iterations.p90} / ${iterations.max}` : "",
    suggestion === null ? `too few (${completed} of ${LEAST_SAMPLES} completed)` : String(suggestion),
  ]);
  const head = [what, "LOOPS", "COMPLETED", "VERIFIED", "MEDIAN / 90 % / MOST", "SUGGESTED max_iterations"];
  return table([head, ...rows], null, width);
}

const share = (some: number, all: number): string => `${some} (${Math.round((100 * some) / all)} %)`;
