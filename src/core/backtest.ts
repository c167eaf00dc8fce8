import { decide } from "./loop/decide.ts";
import type { Entry, StopReason } from "./loop/events.ts";
import { reduce } from "./loop/reduce.ts";
import type { Limits } from "./loop/spec.ts";
import { iterationsDone, type LoopState, START } from "./loop/state.ts";
import { stopFacts } from "./loop/stop-reasons.ts";
import { isLevel } from "./proof/level.ts";
import { totalTokens } from "./usage.ts";

/** The limits that a recorded loop can be replayed with. */
export type ReplayLimits = Partial<Pick<Limits, "maxIterations" | "maxCostUsd" | "maxTokens" | "maxMs" | "stuckAfter">>;

/** The progress of a loop. */
export interface Reached {
  iterations: number;
  costUsd: number;
  tokens: number;
  ms: number;
}

/** How a loop would have ended with other limits. */
type Replay =
  /** It would have ended the same way. */
  | { is: "same" }
  /** It would have stopped earlier. `cutOff`: it was completed later, which would have been lost. */
  | { is: "sooner"; reason: StopReason; detail: string; iteration: number; saved: Reached; cutOff: boolean }
  /** The limit that stopped it would not have been reached; how it would have continued is unknown. */
  | { is: "further" };

/** A recorded loop with other limits. */
export interface Replayed {
  replay: Replay;
  /** Its recorded last state. */
  end: LoopState;
  /** The tree was not examined then, so it is unknown whether the loop was stuck. */
  blind: boolean;
}

/** Replays a journal and decides at every turn with other limits, in bounded memory. */
export async function replay(entries: AsyncIterable<Entry>, limits: ReplayLimits): Promise<Replayed> {
  let state: LoopState = START;
  let reading: Reading = { stop: null, further: false, blind: false };
  for await (const entry of entries) {
    const before = state;
    state = reduce(before, entry);
    if (!reading.stop) reading = read(reading, entry, { before, after: state, limits });
  }
  const { stop, further, blind } = reading;
  return { replay: stop ? sooner(stop, state) : { is: further ? "further" : "same" }, end: state, blind };
}

/** The result up to an entry. */
interface Reading {
  /** Where it would have stopped. */
  stop: (Stopped & { at: LoopState }) | null;
  further: boolean;
  blind: boolean;
}

interface Step {
  before: LoopState;
  after: LoopState;
  limits: ReplayLimits;
}

function read(reading: Reading, { event, atMs }: Entry, { before, after, limits }: Step): Reading {
  switch (event.type) {
    case "turn.began": {
      const stopped = stopUnder(before, limits, atMs);
      const blind = reading.blind || (limits.stuckAfter != null && isUnseen(before));
      return { ...reading, blind, stop: stopped && { ...stopped, at: before } };
    }
    case "turn.ended": {
      const cut = cutShort(before, after, limits);
      return { ...reading, stop: cut && { ...cut, at: after } };
    }
    case "loop.stopped":
      return { ...reading, further: isLimit(after.stopped?.reason) && !stopUnder(before, limits, atMs) };
    default:
      return reading;
  }
}

interface Stopped {
  reason: StopReason;
  detail: string;
}

/** Why the loop would have stopped at this point; null if it would have continued. */
function stopUnder(s: LoopState, limits: ReplayLimits, atMs: number): Stopped | null {
  // If the tree was not examined then, it cannot be examined now.
  const turn = s.turn && { ...s.turn, looked: true };
  const next = decide({ ...s, turn, limits: { ...s.limits, ...limits } }, atMs);
  return next.do === "stop" ? { reason: next.reason, detail: next.detail } : null;
}

/** A turn that would have been cut short: its claim would not have been read. */
function cutShort({ limits, turn }: LoopState, { activeMs }: LoopState, { maxMs }: ReplayLimits): Stopped | null {
  const isStricter = maxMs != null && (limits.maxMs === null || maxMs < limits.maxMs);
  if (!isStricter || activeMs <= maxMs || !turn || turn.ended) return null;
  return { reason: "time-limit", detail: "in the middle of the iteration" };
}

const isUnseen = ({ turn, spec }: LoopState): boolean => Boolean(spec?.tracked && turn?.ended && !turn.looked);

const isLimit = (reason: StopReason | undefined): boolean => reason !== undefined && stopFacts(reason).loop === "limit";

function sooner({ at, reason, detail }: Stopped & { at: LoopState }, end: LoopState): Replay {
  const [then, now] = [reachedBy(at), reachedBy(end)];
  const saved = {
    iterations: now.iterations - then.iterations,
    costUsd: now.costUsd - then.costUsd,
    tokens: now.tokens - then.tokens,
    ms: now.ms - then.ms,
  };
  const cutOff = isLevel(end.stopped?.reason);
  return { is: "sooner", reason, detail, iteration: then.iterations, saved, cutOff };
}

/** The progress of a loop in this state. */
export const reachedBy = (s: LoopState): Reached => ({
  iterations: iterationsDone(s),
  costUsd: s.spent.costUsd,
  tokens: totalTokens(s.spent),
  ms: s.activeMs,
});
