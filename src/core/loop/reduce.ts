import { remembered } from "../memory/remember.ts";
import { baselineState } from "../proof/baseline.ts";
import type { Proof } from "../proof/proof.ts";
import { provedOf } from "../proof/proved.ts";
import { addUsage, mostUsage, NO_USAGE, totalTokens } from "../usage.ts";
import { adopted } from "./adoption.ts";
import { objectionTo } from "./decide.ts";
import { withDiscarded } from "./discarded.ts";
import type { Baseline, Entry, LoopEvent, StopReason, TurnBegan, TurnEnded, TurnVoided } from "./events.ts";
import { feedbackOf } from "./feedback.ts";
import { LIMITS_ONE_AGENT, nextFreeMs } from "./next-agent.ts";
import { type LoopState, START, type Turn } from "./state.ts";
import { sameness } from "./stuck.ts";

/** The state after one more entry. Pure; an event of a closed turn or a settled effect changes nothing. */
export const reduce = (s: LoopState, { event, atMs, epoch }: Entry): LoopState => ({
  ...remembered(s, apply(clocked(s, event, atMs), event, atMs, epoch), event),
  atMs,
});

export const fold = (entries: Iterable<Entry>, from: LoopState = START): LoopState => {
  let state = from;
  for (const entry of entries) state = reduce(state, entry);
  return state;
};

/** The time before them is no work: they can follow long after the last entry. */
const UNTIMED: ReadonlySet<LoopEvent["type"]> = new Set(["loop.started", "loop.adopted", "notes.dropped"]);

/** Adds working time: everything but waits and the time before an adoption. */
function clocked(s: LoopState, event: LoopEvent, atMs: number): LoopState {
  if (UNTIMED.has(event.type)) return s;
  const passed = Math.max(0, atMs - s.atMs);
  if (!s.wait) return { ...s, activeMs: s.activeMs + passed };
  const voids = s.voids && { ...s.voids, waitedMs: s.voids.waitedMs + passed };
  return { ...s, waitedMs: s.waitedMs + passed, voids };
}

function apply(s: LoopState, e: LoopEvent, atMs: number, epoch: number): LoopState {
  switch (e.type) {
    case "loop.started":
      return started(s, e, atMs);
    case "loop.adopted":
      return adopted(s, e, epoch);
    case "session.moved":
      return { ...s, sessionId: e.sessionId, sessionUsage: NO_USAGE };
    case "baseline.taken":
      return s.spec ? { ...s, ...baselineOf(e, s.spec.proof) } : s;
    case "turn.began":
      return began(s, e);
    case "turn.ended":
      return ended(s, e);
    case "turn.voided":
      return voided(s, e, atMs);
    case "tree.seen":
      return s.turn?.ended && !s.turn.looked && s.n === e.n ? seen(s, s.turn, e.tree) : s;
    case "guards.ended":
      return s.turn?.ended && s.n === e.n ? guarded(s, s.turn, e) : s;
    case "effect.intended":
      return { ...s, effect: { key: e.key, effect: e.effect, before: e.before } };
    case "effect.settled":
      return settledEffect(s, e);
    case "claim.judged":
      return judged(s, e);
    case "judgement.cut":
      return { ...s, spent: addUsage(s.spent, e.usage) };
    case "receipt.made":
    case "notes.dropped":
      return s;
    case "journal.foreign":
      return { ...s, foreign: { entry: e.entry, found: e.found } };
    case "stop.requested":
      return { ...s, stopRequest: { as: e.as, by: e.by } };
    case "loop.stopped":
      return { ...s, wait: null, stopped: { reason: levelled(e.reason, s.turn), detail: e.detail } };
  }
}

/** Versions without levels called every completion verified. */
const levelled = (reason: StopReason, turn: Turn | null): StopReason =>
  reason === "verified" ? (turn?.verdict?.proof ?? reason) : reason;

function started(s: LoopState, e: LoopEvent & { type: "loop.started" }, atMs: number): LoopState {
  const { spec, fingerprints, earlier } = e;
  const of = spec.proof.acceptance.length;
  const proved = of > 0 ? { proved: 0, of } : null;
  const { session, limits } = spec;
  const known = session ? { sessionId: session.id, sessionUsage: session.usage } : {};
  const record = earlier ? { earlier } : {};
  return { ...s, spec, limits, fingerprints, ...record, startedAtMs: atMs, proved, ...known };
}

const baselineOf = (taken: Baseline, proof: Proof): Pick<LoopState, "baseline" | "proved" | "untouched"> => ({
  baseline: baselineState(taken, proof),
  untouched: taken.start ?? taken.tree,
  proved: proof.acceptance.length > 0 ? provedOf(proof, taken.results) : null,
});

function guarded(s: LoopState, turn: Turn, { results, tree }: LoopEvent & { type: "guards.ended" }): LoopState {
  const after = { ...s, turn: { ...turn, guards: results } };
  return tree === undefined ? after : { ...after, untouched: tree, turn: { ...after.turn, tree } };
}

function settledEffect(s: LoopState, e: LoopEvent & { type: "effect.settled" }): LoopState {
  if (s.effect?.key !== e.key || !s.turn) return s;
  // A commit by Ralph is not work: an untouched tree stays untouched.
  const { tree = s.turn.tree } = e;
  const untouched = s.turn.tree === s.untouched ? tree : s.untouched;
  const turn = { ...s.turn, tree, effectsDone: s.turn.effectsDone + 1 };
  const leftOut = s.effect.effect.kind === "commit" ? e.leftOut : s.leftOut;
  return { ...s, effect: null, turn, spent: addUsage(s.spent, e.usage), untouched, leftOut };
}

function began(s: LoopState, e: TurnBegan): LoopState {
  const turn: Turn = {
    epoch: s.epoch,
    runToken: e.runToken,
    log: e.log,
    nonce: e.nonce,
    ended: false,
    claim: null,
    doubts: [],
    blocked: null,
    review: null,
    failed: null,
    refused: null,
    tools: null,
    looked: false,
    tree: null,
    worked: true,
    guards: null,
    effectsDone: 0,
    verdict: null,
    judged: 0,
  };
  const feedback = s.turn && s.spec ? feedbackOf(s, s.turn, s.spec) : s.feedback;
  const same = s.turn ? sameness(s) : s.same;
  const idle = s.turn && objectionTo(s, s.turn) === "no-work" ? 1 : 0;
  const idleClaims = s.idleClaims + idle;
  // A session belongs to the agent that opened it.
  const session = e.agent === s.agent || s.driver === "host" ? {} : { sessionId: null, sessionUsage: NO_USAGE };
  const previous = s.turn?.log ? { ...s.turn.log, agent: s.agent } : s.previous;
  return {
    ...s,
    n: e.n,
    attempt: e.attempt,
    agent: e.agent,
    ...session,
    wait: null,
    turn,
    previous,
    feedback,
    same,
    idleClaims,
  };
}

const isOpen = (s: LoopState, e: { n: number; attempt: number }): boolean =>
  s.turn !== null && !s.turn.ended && s.n === e.n && s.attempt === e.attempt;

const lookedAt = ({ reviewFault, discarded }: TurnEnded): Pick<Turn, "reviewFault" | "discarded"> => ({
  ...(reviewFault === undefined ? {} : { reviewFault }),
  ...(discarded === undefined ? {} : { discarded }),
});

const discardedSince = ({ discarded = [] }: LoopState, e: TurnEnded): Pick<LoopState, "discarded"> =>
  e.discarded ? { discarded: withDiscarded(discarded, e.discarded) } : {};

function ended(s: LoopState, e: TurnEnded): LoopState {
  if (!s.turn || !isOpen(s, e)) return s;
  const turn: Turn = {
    ...s.turn,
    ended: true,
    log: endedLog(s.turn, e),
    claim: e.claim,
    doubts: e.doubts,
    blocked: e.blocked,
    review: e.review ?? null,
    ...lookedAt(e),
    failed: e.failed,
    refused: e.refused,
    ...(e.refusals ? { refusals: e.refusals } : {}),
    tools: e.tools,
    guards: s.spec?.guardrails.length ? null : [],
  };
  const after: LoopState = {
    ...s,
    voids: null,
    spent: addUsage(s.spent, e.usage),
    unknownCost: unknownAfter(s, e),
    sessionId: e.failed?.kind === "context-exceeded" ? null : (e.sessionId ?? s.sessionId),
    // A turn that ended before it named its session ran in the previous one.
    sessionUsage: e.sessionUsage ?? ((e.sessionId ?? s.sessionId) === s.sessionId ? s.sessionUsage : NO_USAGE),
    failures: e.failed || e.refused ? s.failures + 1 : 0,
    usedTools: s.usedTools || Boolean(e.tools),
    ...discardedSince(s, e),
    turn,
  };
  return s.spec?.tracked ? after : seen(after, turn, null);
}

const endedLog = ({ log }: Turn, { logTo }: TurnEnded): Turn["log"] =>
  log && logTo !== undefined ? { ...log, to: logTo } : log;

/** Some agents report the cost only at the end of a turn: a turn that was cut short is not free. */
const isUnpriced = ({ most }: LoopState["unknownCost"], e: TurnEnded | TurnVoided): boolean =>
  (e.type === "turn.voided" || e.failed !== null) &&
  most.costUsd > 0 &&
  e.usage.costUsd === 0 &&
  totalTokens(e.usage) > 0;

/** A session's total covers the turns in it whose own report is missing. */
function unknownAfter(s: LoopState, e: TurnEnded | TurnVoided): LoopState["unknownCost"] {
  const { unknownCost: before } = s;
  const inAll = e.type === "turn.ended" && e.sessionUsage !== null && (e.sessionId ?? s.sessionId) === s.sessionId;
  const covered = inAll && s.sessionId !== null ? before.inSession : 0;
  const added = e.usageUnknown ? 1 : 0;
  const stays = s.sessionId !== null && (e.type === "turn.voided" || (e.sessionId ?? s.sessionId) === s.sessionId);
  return {
    turns: before.turns - covered + added,
    unpriced: before.unpriced + (!e.usageUnknown && isUnpriced(before, e) ? 1 : 0),
    inSession: stays ? before.inSession - covered + added : 0,
    accepted: Math.max(0, before.accepted - covered),
    // The rest of a session's total includes more than this turn.
    most: covered > 0 ? before.most : mostUsage(before.most, e.usage),
  };
}

/**
 * Whether a turn did anything new. If the tree is unknown, only a turn without tools is known to have changed nothing:
 * the same tools on the same files may have changed something.
 */
function seen(s: LoopState, turn: Turn, tree: string | null): LoopState {
  const work = tree === null && turn.tools !== "" ? null : JSON.stringify([turn.tools, tree]);
  return { ...s, lastWork: work, turn: { ...turn, looked: true, tree, worked: work === null || work !== s.lastWork } };
}

function voided(s: LoopState, e: TurnVoided, atMs: number): LoopState {
  if (!isOpen(s, e)) return s;
  const before = s.voids?.why === e.why ? s.voids : null;
  const { limited, untilMs } = waitAfter(s, e, atMs);
  return {
    ...s,
    turn: null,
    limited,
    spent: addUsage(s.spent, e.usage),
    unknownCost: unknownAfter(s, e),
    usedTools: s.usedTools || e.usedTools === true,
    sessionUsage: addUsage(s.sessionUsage, e.usage),
    sessionId: e.why === "bad-session" ? null : s.sessionId,
    voids: { why: e.why, detail: e.detail, times: (before?.times ?? 0) + 1, waitedMs: s.voids?.waitedMs ?? 0 },
    wait: untilMs === null ? null : { sinceMs: atMs, untilMs },
  };
}

/** Until when each agent is limited, and until when no agent is available. */
function waitAfter(s: LoopState, { why, retryAtMs }: TurnVoided, atMs: number) {
  if (retryAtMs === null || !LIMITS_ONE_AGENT.has(why)) return { limited: s.limited, untilMs: retryAtMs };
  const limited = { ...s.limited, [s.agent]: retryAtMs };
  // The retry time is in the future even if the system clock was set back.
  return { limited, untilMs: nextFreeMs({ ...s, limited }, Math.min(atMs, retryAtMs - 1)) };
}

function judged(s: LoopState, e: LoopEvent & { type: "claim.judged" }): LoopState {
  if (!s.turn?.ended || s.n !== e.n) return s;
  return {
    ...s,
    spent: addUsage(s.spent, e.usage),
    proved: e.verdict.proved ?? s.proved,
    tampers: s.tampers + (e.verdict.tampered?.length ? 1 : 0),
    turn: { ...s.turn, verdict: e.verdict, judged: e.try },
  };
}
