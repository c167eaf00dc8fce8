import { NO_USAGE } from "../usage.ts";
import type { LoopEvent, StopReason } from "./events.ts";
import { type LoopState, START, type Turn } from "./state.ts";
import { isComplete } from "./stop-reasons.ts";

/** A user who resumes a stopped loop gives it a new chance: the counters that stopped it are reset. */
export function adopted(s: LoopState, e: LoopEvent & { type: "loop.adopted" }, epoch: number): LoopState {
  const taken: LoopState = {
    ...s,
    driver: e.driver,
    epoch,
    ...adoptedSession(s, e),
    limits: e.limits ?? s.limits,
    spec: s.spec && e.agents ? { ...s.spec, agents: e.agents } : s.spec,
    fingerprints: e.fingerprints ?? s.fingerprints,
    stopRequest: null,
  };
  // A journal that another process wrote into cannot be continued.
  if (!s.stopped || s.foreign || isComplete(s.stopped.reason)) return taken;
  return {
    ...taken,
    stopped: null,
    wait: null,
    unknownCost: { ...taken.unknownCost, accepted: taken.unknownCost.turns },
    // The cause of the refusal may have been fixed.
    baseline: s.baseline?.refused ? null : acceptedBaseline(s, e),
    limited: {},
    voids: s.voids && { ...s.voids, times: 0, waitedMs: 0 },
    same: START.same,
    failures: 0,
    tampers: 0,
    idleClaims: s.stopped.reason === "no-work" ? 0 : s.idleClaims,
    turn: s.turn && resumedTurn(s, s.turn, s.stopped.reason, e.fingerprints !== undefined),
  };
}

const acceptedBaseline = ({ baseline }: LoopState, { accepted }: LoopEvent & { type: "loop.adopted" }) =>
  baseline && accepted !== undefined ? { ...baseline, accepted } : baseline;

/** Earlier cost of another session is not part of this loop's cost. */
function adoptedSession(s: LoopState, e: LoopEvent & { type: "loop.adopted" }) {
  const sessionId = e.sessionId === undefined ? s.sessionId : e.sessionId;
  return { sessionId, sessionUsage: e.sessionUsage ?? (sessionId === s.sessionId ? s.sessionUsage : NO_USAGE) };
}

function resumedTurn({ spec }: LoopState, turn: Turn, reason: StopReason, accepted: boolean): Turn | null {
  // A block that was not reported because of an interruption is still reported.
  const isBlocked = reason === "blocked";
  // A loop that ends with its only turn has done nothing if that turn was blocked: it gets another turn.
  if (isBlocked && spec?.ends === "turn") return null;
  const unproven = turn.verdict?.is === "unknown" || accepted;
  return {
    ...turn,
    blocked: isBlocked ? null : turn.blocked,
    review: reason === "faults-found" ? null : turn.review,
    ...(unproven ? { verdict: null, judged: 0 } : {}),
  };
}
