import { formatDuration } from "../duration.ts";
import { firstOf, shorten } from "../excerpt.ts";
import { isBacked, needsBaseline } from "../proof/methods.ts";
import { ROLES } from "../task/role.ts";
import { dollars, totalTokens } from "../usage.ts";
import type { StopReason } from "./events.ts";
import { nextAgent } from "./next-agent.ts";
import type { Effect } from "./spec.ts";
import type { LoopState, Turn } from "./state.ts";
import { sameness } from "./stuck.ts";
import { chargedUsage, isBlind, unknownCostWords } from "./unknown-cost.ts";
import { tamperWords } from "./words.ts";

export type Decision =
  /** Run the checks before any work is done. */
  | { do: "baseline" }
  | { do: "turn"; n: number; attempt: number; agent: number }
  /** A host is still at work. */
  | { do: "await" }
  /** A turn started under an earlier driver, or must stop: end its processes, then void it. */
  | { do: "recover"; runToken: string }
  /** Look at the tree after the turn. */
  | { do: "look" }
  | { do: "guard" }
  | { do: "judge"; try: number }
  /** `probe`: it was intended before, so check whether it happened before doing it again. */
  | { do: "effect"; key: string; effect: Effect; probe: boolean }
  | { do: "wait"; untilMs: number }
  | { do: "stop"; reason: StopReason; detail: string };

/** A claim is settled before any limit is read: finishing on the last iteration is finishing. */
export function decide(s: LoopState, nowMs: number): Decision {
  const { turn } = s;
  if (s.stopped) return { do: "stop", ...s.stopped };
  if (turn && !turn.ended && (s.stopRequest || turn.epoch < s.epoch)) return { do: "recover", runToken: turn.runToken };
  if (s.effect) return { do: "effect", key: s.effect.key, effect: s.effect.effect, probe: true };
  if (s.stopRequest) return provenStop(s) ?? stop(s.stopRequest.as, `by ${s.stopRequest.by}`);
  if (turn && !turn.ended) return { do: "await" };
  return (turn && settle(s, turn)) ?? stopFor(s, nowMs) ?? proceed(s, nowMs);
}

/** A proven loop without pending effects is complete, even if a stop was requested; otherwise it can be resumed. */
function provenStop(s: LoopState): Decision | null {
  return s.turn && !settle(s, s.turn) ? completion(s, s.turn) : null;
}

/** A completed loop stops with its proof level as the reason. */
function completion(s: LoopState, turn: Turn): Decision | null {
  const { verdict } = turn;
  if (verdict?.is !== "pass" || objectionTo(s, turn) === "no-work") return null;
  return stop(verdict.proof ?? "promise-only", verdict.reason);
}

/** Why a claim is not verified. */
export type Objection = "no-claim" | "blocked" | "faults" | "guardrail" | "contradicted" | "no-work";

/** The first objection in this order; contradictions count only if nothing but words backs the claim. */
export function objectionTo(s: LoopState, turn: Turn): Objection | null {
  if (!turn.claim && (turn.failed || (s.spec?.ends ?? "claim") === "claim")) return "no-claim";
  if (turn.blocked) return "blocked";
  if (faultsIn(s, turn).length > 0) return "faults";
  if (!isGreen(turn)) return "guardrail";
  if (isGuarded(s) && isIdle(s, turn) && !mayShowWork(s, turn)) return "no-work";
  const backed = s.spec ? isBacked(s.spec.proof) : false;
  return !backed && turn.doubts.some((doubt) => doubt.is === "contradicted") ? "contradicted" : null;
}

/** Faults that a reviewing agent found. An agent that does the work itself reports none. */
const faultsIn = ({ spec }: LoopState, { review }: Turn): readonly string[] =>
  spec?.part && ROLES[spec.part.place].reviews && review?.approved === false ? review.findings : [];

/** Only a claim can lack work: this does not apply where checks or a turn complete the loop. */
const isGuarded = ({ spec }: LoopState): boolean => spec?.ends === "claim" && spec.proof.zeroWorkGuard;

/** No tool was used in the whole loop, and the tree is unchanged; if the tree is unknown, only the tools count. */
function isIdle({ usedTools, untouched, spec }: LoopState, { tools, tree }: Turn): boolean {
  if (usedTools) return false;
  if (spec?.tracked && tree !== null) return tree === untouched;
  return tools === "";
}

/** A check that went from red to green shows work, wherever it was done: if one was red, the checks run first. */
const mayShowWork = ({ baseline }: LoopState, { verdict }: Turn): boolean =>
  verdict
    ? verdict.checks.some(({ since }) => since === "fixed") || verdict.is !== "pass"
    : Object.values(baseline?.was ?? {}).includes("fail");

const isGreen = (turn: Turn): boolean => turn.guards?.every((g) => g.is === "pass") ?? false;

/** The remaining steps of the current turn: tree, guardrails, effects before the verdict, verdict, effects after it. */
function settle(s: LoopState, turn: Turn): Decision | null {
  if (!turn.looked && isWatched(s)) return { do: "look" };
  if (!turn.guards) return { do: "guard" };
  if (!isGreen(turn)) return null;
  const due = s.spec?.effects[turn.effectsDone];
  const effect: Decision | null = due
    ? { do: "effect", key: `${s.n}/${turn.effectsDone}`, effect: due, probe: false }
    : null;
  if (effect && due?.when === "guarded") return effect;
  const open = !turn.verdict || (turn.verdict.is === "unknown" && turn.judged < 2);
  if (open && s.spec?.ends !== "turn" && objectionTo(s, turn) === null) return { do: "judge", try: turn.judged + 1 };
  return effect;
}

const isWatched = (s: LoopState): boolean => seesWork(s) || (s.limits.stuckAfter !== null && isTracked(s));

/** Whether the tree is examined for work. */
const seesWork = (s: LoopState): boolean => isGuarded(s) && isTracked(s);

const isTracked = ({ spec }: LoopState): boolean => spec?.tracked ?? false;

function stopFor(s: LoopState, nowMs: number): Decision | null {
  return outcomeStop(s) ?? timeStop(s, nowMs) ?? troubleStop(s) ?? limitStop(s);
}

function outcomeStop(s: LoopState): Decision | null {
  const { turn } = s;
  if (s.baseline?.refused) return stop(s.baseline.refused.reason, s.baseline.refused.detail);
  const done = turn && completion(s, turn);
  if (done) return done;
  if (turn?.blocked) return stop("blocked", turn.blocked);
  if (turn && s.spec?.ends === "turn" && !turn.failed && !turn.refused && isGreen(turn)) return stop("finished", "");
  const faults = turn ? faultsIn(s, turn) : [];
  if (faults.length > 0) return stop("faults-found", faultWords(faults));
  if (turn?.verdict?.is === "unknown") return stop("unverifiable", turn.verdict.reason);
  if (turn && s.idleClaims > 0 && objectionTo(s, turn) === "no-work") return stop("no-work", NO_WORK);
  if (s.tampers >= s.limits.maxTampers) return stop("tampered", tamperWords(turn?.verdict?.tampered ?? []));
  return null;
}

const NO_WORK = "completion was claimed twice, and no tool was used and nothing changed";

const FAULTS_SHOWN = 3;
const FAULT_CHARS = 200;

const faultWords = (faults: readonly string[]): string =>
  firstOf(
    faults.map((fault) => shorten(fault, FAULT_CHARS)),
    FAULTS_SHOWN,
  ).join("; ");

const LOST_SESSIONS = 3;

function troubleStop(s: LoopState): Decision | null {
  const { voids, wait, limits } = s;
  if (s.failures >= limits.maxFailures) return stop("agent-failed", s.turn?.failed?.detail ?? s.turn?.refused ?? "");
  if (!voids || voids.times === 0) return null;
  if (voids.why === "auth" || voids.why === "agent-missing") return stop(voids.why, voids.detail);
  if (voids.why === "bad-session" && voids.times >= LOST_SESSIONS) return stop("agent-failed", voids.detail);
  const waitMs = voids.waitedMs + (wait ? wait.untilMs - wait.sinceMs : 0);
  if (wait && limits.maxWaitMs !== null && waitMs > limits.maxWaitMs) return stop("wait-limit", voids.detail);
  return null;
}

/** Read before failures: a turn cut short by the loop's time limit is not a failure of the agent. */
function timeStop(s: LoopState, nowMs: number): Decision | null {
  const { limits } = s;
  if (reached(workedMs(s, nowMs), limits.maxMs))
    return stop("time-limit", `${formatDuration(workedMs(s, nowMs))} of work`);
  return null;
}

function limitStop(s: LoopState): Decision | null {
  const { limits } = s;
  if (!s.voids && reached(s.n, limits.maxIterations))
    return stop("iteration-limit", `${s.n} of ${limits.maxIterations}`);
  const spent = spendStop(s);
  if (spent) return spent;
  const { times } = sameness(s);
  if (reached(times, limits.stuckAfter)) return stop("stuck", `${times} iterations without new work, same result`);
  return null;
}

/** A turn with unknown cost counts as the most expensive one; if no cost is known, the loop stops. */
function spendStop(s: LoopState): Decision | null {
  const { maxCostUsd, maxTokens } = s.limits;
  const charged = chargedUsage(s);
  const unknown = unknownCostWords(s);
  const words = (known: string) => [known, ...(unknown ? [unknown] : [])].join("; ");
  if (reached(charged.costUsd, maxCostUsd) || (maxCostUsd !== null && isBlind(s, ({ costUsd }) => costUsd)))
    return stop("cost-limit", words(`${dollars(s.spent.costUsd)} spent`));
  if (reached(totalTokens(charged), maxTokens) || (maxTokens !== null && isBlind(s, totalTokens)))
    return stop("token-limit", words(`${totalTokens(s.spent)} tokens`));
  return null;
}

function proceed(s: LoopState, nowMs: number): Decision {
  if (s.wait && nowMs < s.wait.untilMs) return { do: "wait", untilMs: s.wait.untilMs };
  if (!s.baseline && s.n === 0 && s.spec && (needsBaseline(s.spec.proof) || seesWork(s))) return { do: "baseline" };
  const next = s.voids ? { n: s.n, attempt: s.attempt + 1 } : { n: s.n + 1, attempt: 1 };
  return { do: "turn", ...next, agent: nextAgent(s, nowMs) };
}

/** Working time so far, including the time since the last entry. */
export const workedMs = (s: LoopState, nowMs: number): number =>
  s.activeMs + (s.wait ? 0 : Math.max(0, nowMs - s.atMs));

const reached = (value: number, limit: number | null): boolean => limit !== null && value >= limit;
const stop = (reason: StopReason, detail: string): Decision => ({ do: "stop", reason, detail });
