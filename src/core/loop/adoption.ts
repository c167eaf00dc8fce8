import { NO_USAGE } from "../usage.ts";
import type { LoopEvent, StopReason } from "./events.ts";
import { type LoopState, START, type Turn } from "./state.ts";
import { isComplete } from "./stop-reasons.ts";

/** A person who resumes a stopped loop gives it a new chance: what stopped it is counted from nothing again. */
export function adopted(s: LoopState, e: LoopEvent & { type: "loop.adopted" }, epoch: number): LoopState {
  const taken: LoopState = {
    ...s,
    driver: e.driver,
    epoch,
    ...sessionTaken(s, e),
    limits: e.limits ?? s.limits,
    fingerprints: e.fingerprints ?? s.fingerprints,
    stopRequest: null,
  };
  // What stands in a journal that others wrote into is nothing to go on from.
  if (!s.stopped || s.foreign || isComplete(s.stopped.reason)) return taken;
  return {
    ...taken,
    stopped: null,
    wait: null,
    unknownCost: { ...taken.unknownCost, accepted: taken.unknownCost.turns },
    // What kept it from beginning may have been mended.
    baseline: s.baseline?.refused ? null : s.baseline,
    limited: {},
    voids: s.voids && { ...s.voids, times: 0, waitedMs: 0 },
    same: START.same,
    failures: 0,
    tampers: 0,
    idleClaims: s.stopped.reason === "no-work" ? 0 : s.idleClaims,
    turn: s.turn && turnTakenUp(s, s.turn, s.stopped.reason, e.fingerprints !== undefined),
  };
}

/** What another session had cost before is none of this loop's. */
function sessionTaken(s: LoopState, e: LoopEvent & { type: "loop.adopted" }) {
  const sessionId = e.sessionId === undefined ? s.sessionId : e.sessionId;
  return { sessionId, sessionUsage: e.sessionUsage ?? (sessionId === s.sessionId ? s.sessionUsage : NO_USAGE) };
}

function turnTakenUp({ spec }: LoopState, turn: Turn, reason: StopReason, blessed: boolean): Turn | null {
  // A block that an interruption kept from being told still has to be.
  const told = reason === "blocked";
  // The one turn of a loop that ends with it has done nothing yet where it could not go on: there is another one.
  if (told && spec?.ends === "turn") return null;
  const unproven = turn.verdict?.is === "unknown" || blessed;
  return {
    ...turn,
    blocked: told ? null : turn.blocked,
    review: reason === "faults-found" ? null : turn.review,
    ...(unproven ? { verdict: null, judged: 0 } : {}),
  };
}
