import { printable } from "../../../core/ansi.ts";
import { shorten } from "../../../core/excerpt.ts";
import { workedMs } from "../../../core/loop/decide.ts";
import { nextAgent } from "../../../core/loop/next-agent.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { provedWords } from "../../../core/proof/proved.ts";
import { addUsage, dollars, priced, totalTokens, type Usage } from "../../../core/usage.ts";
import { clockTime } from "../../../core/view/clock.ts";
import { cellsOf } from "../../terminal/cells.ts";
import { paint } from "../../terminal/paint.ts";
import { agentName, effectName } from "../output/phrases.ts";

export interface Progress {
  state: LoopState;
  turnBeganMs: number;
  /** The usage that the current turn has reported so far. */
  turnUsage: Usage;
  tool: string;
  /** Running guardrails and checks, and since when. */
  commands: readonly { kind: string; command: string; sinceMs: number }[];
}

const NAME_CHARS = 80;
/** Below this, a long activity is shown alone. */
const NARROW_CELLS = 40;

/** The status line of a loop as it is drawn; none before the loop has started. */
export function statusLine(progress: Progress, nowMs: number, columns: number): string[] {
  // A cell at its beginning, and one at its end so that it never wraps.
  const text = statusLineText(progress, nowMs, columns - 2);
  return text === "" ? [] : [paint("dim", ` ${text}`)];
}

/** Its text; empty before the loop has started. On a narrow terminal, what is least urgent is left out. */
export function statusLineText(progress: Progress, nowMs: number, cells = Number.POSITIVE_INFINITY): string {
  const { state } = progress;
  if (!state.spec) return "";
  if (state.wait) return waitText(state, state.wait.untilMs, { nowMs, cells });
  const several = state.spec.agents.length > 1;
  const doesNow = doing(progress, nowMs);
  const parts = [
    { text: iterationText(progress, nowMs), urgency: 5 },
    { text: `loop ${steadyDuration(workedMs(state, nowMs))}`, urgency: 1 },
    { text: provedWords(state.proved), urgency: 4 },
    { text: spentText(progress), urgency: 2 },
    { text: several && isAtWork(state) ? agentName(state) : "", urgency: 3 },
    { text: doesNow, urgency: 6 },
  ].filter(({ text }) => text !== "");
  const joined = () => parts.map(({ text }) => text).join(" · ");
  const least = doesNow && cells >= NARROW_CELLS ? 2 : 1;
  while (parts.length > least && cellsOf(joined()) > cells) {
    const next = Math.min(...parts.map(({ urgency }) => urgency));
    parts.splice(
      parts.findIndex(({ urgency }) => urgency === next),
      1,
    );
  }
  return joined();
}

const isAtWork = ({ turn }: LoopState): boolean => turn !== null && !turn.ended;

function iterationText({ state, turnBeganMs }: Progress, nowMs: number): string {
  const { maxIterations } = state.limits;
  if (state.n === 0) return "starting";
  const most = maxIterations === null ? "" : `/${maxIterations}`;
  return `iteration ${state.n}${most}${turnBeganMs > 0 ? ` (${steadyDuration(nowMs - turnBeganMs)})` : ""}`;
}

function spentText({ state, turnUsage }: Progress): string {
  const price = state.spec?.agents[state.agent]?.price ?? null;
  const spent = addUsage(state.spent, priced(turnUsage, price));
  const tokens = totalTokens(spent);
  const cost = spent.costUsd > 0 ? [dollars(spent.costUsd)] : [];
  return [...cost, ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : [])].join(", ");
}

function doing({ state, tool, commands }: Progress, nowMs: number): string {
  if (commands.length > 0) {
    const each = commands.map(
      ({ kind, command, sinceMs }) => `${kind} for ${steadyDuration(nowMs - sinceMs)}: ${oneLine(command)}`,
    );
    // The line may be cut within the first one.
    return `${commands.length > 1 ? `${commands.length} at once, ` : ""}${each.join(", ")}`;
  }
  if (state.effect) return oneLine(effectName(state.effect.effect));
  return isAtWork(state) ? oneLine(tool) : "";
}

const oneLine = (text: string): string => shorten(printable(text), NAME_CHARS);

const WAITS: Partial<Record<NonNullable<LoopState["voids"]>["why"], string>> = {
  "rate-limited": "waiting for the usage limit of",
  overloaded: "waiting for the overloaded",
};

function waitText(state: LoopState, untilMs: number, { nowMs, cells }: { nowMs: number; cells: number }): string {
  const why = state.voids?.why;
  const words = why && WAITS[why];
  // With several agents the wait is for the one that is free first.
  const who = agentName({ ...state, agent: nextAgent(state, nowMs) });
  const what = words ? `${words} ${who}` : why === "network" ? "waiting for the network" : "waiting";
  const left = steadyDuration(Math.max(0, untilMs - nowMs));
  const until = `${what}: ${left} left, until ${clockTime(untilMs, nowMs)}`;
  const whole = `${until} · Ctrl-C stops, ralph resume continues`;
  return cellsOf(whole) <= cells ? whole : until;
}

/** A duration with a steady width: `9s`, `3m 02s`, `2h 04m`. */
export function steadyDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const two = (n: number) => String(n).padStart(2, "0");
  if (minutes === 0) return `${seconds}s`;
  return minutes < 60 ? `${minutes}m ${two(seconds % 60)}s` : `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

function shortCount(n: number): string {
  if (n < 1_000) return String(n);
  return n < 1_000_000 ? `${(n / 1_000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}
