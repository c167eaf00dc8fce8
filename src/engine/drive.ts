import { FAILURES, type Failure, type Trouble, type TurnFault } from "../core/agent.ts";
import { claimOf } from "../core/claim/policy.ts";
import { messageOf } from "../core/errors.ts";
import { backoffMs } from "../core/loop/backoff.ts";
import { type Decision, decide, workedMs } from "../core/loop/decide.ts";
import type { LoopEvent, StopRequest, TurnVoided } from "../core/loop/events.ts";
import { type LoopChange, type LoopTypes, loopKind } from "../core/loop/kind.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/loop/store.ts";
import { carriedMessage, remembers } from "../core/memory/memory.ts";
import { memoryText } from "../core/memory/section.ts";
import { buildPrompt } from "../core/prompt.ts";
import { isFree, NO_USAGE } from "../core/usage.ts";
import { type Ledger, type LedgerDraft, openLedger } from "./ledger.ts";
import type { EnginePorts, TurnResult } from "./ports.ts";

/**
 * Runs the loop: decide, write the last results and the next intent in one transaction, perform it, repeat.
 * Yields every entry once it is durable, with the states before and after it. Returns the last state when the loop
 * stops or a host works on a turn. `hostResult` is the result of a host's turn, if one has ended.
 */
export async function* drive(
  loop: LoadedLoop,
  ports: EnginePorts,
  hostResult: TurnResult | null = null,
): AsyncGenerator<LoopChange, LoopState> {
  const ledger = openLedger(loopKind, loop, ports);
  try {
    if (hostResult) noteHostResult(ledger, hostResult, ports);
    while (true) {
      noteDroppedNotes(ledger, ports);
      noteStopRequest(ledger, ports);
      const next = decide(ledger.state, ports.now());
      if (next.do === "stop" || next.do === "await") {
        noteStop(ledger, next);
        yield* await ledger.flush();
        return ledger.state;
      }
      yield* begin(next, ledger, ports);
      // Only foreign entries in the journal stop a loop here.
      if (ledger.state.stopped) return ledger.state;
      for (const event of await perform(next, ledger.state, ports)) ledger.note(event);
      await noteReceipt(ledger, ports);
    }
  } catch (error) {
    yield* await abandon(ledger, error);
    throw error;
  }
}

/** Makes all results and the intent of the next action durable. */
async function* begin(next: Decision, ledger: Ledger<LoopTypes>, ports: EnginePorts): AsyncGenerator<LoopChange> {
  // Reading the state before an effect takes time, and known results must not wait for it.
  if (next.do === "effect") yield* await ledger.flush();
  if (ledger.state.stopped) return;
  for (const event of await opening(next, ledger.state, ports)) ledger.note(event);
  yield* await ledger.flush();
}

type Noting = Pick<LedgerDraft<LoopTypes>, "state" | "note">;

/**
 * Stops a loop synchronously, by journal entries alone. True: the caller only has to write the draft. False: the stop
 * needs real work, and the draft must not be written.
 */
export function closeOnPaper(draft: Noting, request: StopRequest, now: () => number): boolean {
  if (draft.state.stopped) return true;
  draft.note({ type: "stop.requested", ...request });
  for (;;) {
    const { n, attempt } = draft.state;
    const next = decide(draft.state, now());
    if (next.do === "stop") {
      noteStop(draft, next);
      return true;
    }
    if (next.do !== "recover") return false;
    draft.note({ type: "turn.voided", n, attempt, why: "interrupted", detail: "", retryAtMs: null, usage: NO_USAGE });
  }
}

function noteHostResult({ state, note }: Noting, hostResult: TurnResult, ports: EnginePorts): void {
  if (state.turn && !state.turn.ended) note(turnEvent(state, hostResult, ports));
}

function noteStop({ state, note }: Noting, next: Decision): void {
  if (next.do === "stop" && !state.stopped) note({ type: "loop.stopped", reason: next.reason, detail: next.detail });
}

function noteStopRequest({ state, note }: Noting, ports: EnginePorts): void {
  const request = ports.stop.request();
  if (request && !state.stopRequest && !state.stopped) note({ type: "stop.requested", ...request });
}

function noteDroppedNotes({ state, note }: Noting, ports: EnginePorts): void {
  const known = state.memory?.notes ?? [];
  if (known.length === 0 || state.stopped) return;
  const wanted = ports.notesToDrop();
  const notes = known.map(({ id }) => id).filter((id) => wanted.has(id));
  if (notes.length > 0) note({ type: "notes.dropped", notes, by: "ralph notes drop" });
}

/** A receipt is written in the same transaction as its verdict, or not at all. */
async function noteReceipt({ pending, note }: Ledger<LoopTypes>, ports: EnginePorts): Promise<void> {
  const last = pending.at(-1)?.entry.event;
  if (last?.type !== "claim.judged" || last.verdict.is !== "pass") return;
  const receipt = await ports.makeReceipt(pending.map(({ entry }) => entry));
  if (receipt) note({ type: "receipt.made", receipt });
}

/** After an environment error (full disk, lost database) the loop records it and can be resumed. */
async function abandon(ledger: Ledger<LoopTypes>, error: unknown): Promise<readonly LoopChange[]> {
  if (ledger.state.stopped) return [];
  try {
    ledger.note({ type: "loop.stopped", reason: "interrupted", detail: `error: ${messageOf(error)}` });
    return await ledger.flush();
  } catch {
    // The journal itself failed; the first error is the one to report.
    return [];
  }
}

async function opening(next: Decision, state: LoopState, ports: EnginePorts): Promise<LoopEvent[]> {
  if (next.do === "turn") {
    const { n, attempt, agent } = next;
    return [{ type: "turn.began", n, attempt, agent, ...ports.newTurn(n, attempt, state) }];
  }
  if (next.do === "effect" && !next.probe) {
    const { key, effect } = next;
    return [{ type: "effect.intended", key, effect, before: await ports.effectBefore(effect) }];
  }
  return [];
}

async function perform(next: Decision, state: LoopState, ports: EnginePorts): Promise<LoopEvent[]> {
  const { n, attempt } = state;
  switch (next.do) {
    case "baseline": {
      const baseline = await ports.takeBaseline();
      return baseline ? [{ type: "baseline.taken", ...baseline }] : [];
    }
    case "turn":
      return runTurn(state, ports);
    case "recover": {
      const log = state.turn?.log ?? null;
      const { usage, unknown, tools } = await ports.recoverTurn({
        runToken: next.runToken,
        log,
        agent: state.agent,
        sessionUsage: sessionOf(state).sessionUsage,
      });
      const known = { usage, ...costOf(unknown), ...toolsOf(tools) };
      return [{ type: "turn.voided", n, attempt, why: "interrupted", detail: "", retryAtMs: null, ...known }];
    }
    case "look": {
      const seen = await ports.lookAtTree(state);
      // A look that a stop cut short is not recorded as unknown: a resume looks again.
      return seen.tree === null && ports.stop.request() ? [] : [{ type: "tree.seen", n, ...seen }];
    }
    case "guard":
      return runGuards(state, ports);
    case "judge": {
      const { verdict, usage } = await ports.judge(state);
      if (verdict) return [{ type: "claim.judged", n, try: next.try, verdict, usage }];
      return isFree(usage) ? [] : [{ type: "judgement.cut", n, usage }];
    }
    case "effect": {
      const before = state.effect?.before ?? "";
      const settled = await ports.performEffect({
        ...next,
        before,
        agent: state.agent,
        earlier: state.earlier ?? null,
      });
      return [{ type: "effect.settled", key: next.key, ...settled }];
    }
    case "wait":
      await ports.waitUntil(next.untilMs);
      return [];
    case "await":
    case "stop":
      return [];
  }
}

/** Files that guardrails write are not the agent's work: later turns are compared with the tree after them. */
async function runGuards(state: LoopState, ports: EnginePorts): Promise<LoopEvent[]> {
  const { n } = state;
  const results = await ports.runGuards(n);
  if (!results) return [];
  const tree = isUntouched(state) ? (await ports.lookAtTree(state)).tree : null;
  return [{ type: "guards.ended", n, results, ...(tree === null ? {} : { tree }) }];
}

/** Whether the tree shows no work for the loop yet. */
const isUntouched = ({ turn, untouched }: LoopState): boolean => untouched !== null && turn?.tree === untouched;

async function runTurn(state: LoopState, ports: EnginePorts): Promise<LoopEvent[]> {
  const { n, attempt, turn, spec } = state;
  if (!spec || !turn) throw new Error("a turn needs a started loop");
  const base = await ports.readPrompt(state);
  const result = await ports.runTurn({
    n,
    attempt,
    agent: state.agent,
    runToken: turn.runToken,
    prompt: promptOf(state, base),
    task: promptOf(state, base, null),
    claim: claimOf(spec.claim, turn.nonce),
    ...sessionOf(state),
    timeoutMs: turnTimeoutMs(state, spec, ports.now()),
  });
  return result ? [turnEvent(state, result, ports)] : [];
}

/** The prompt of the current turn; `base` is the task, `past` the section about earlier iterations. */
export function promptOf(state: LoopState, base: string, past = memoryText(state)): string {
  const { n, turn, spec, limits, feedback } = state;
  if (!spec || !turn) throw new Error("a turn needs a started loop");
  const { nonce } = turn;
  const at = { n, maxIterations: limits.maxIterations };
  return buildPrompt({ ...spec, claim: claimOf(spec.claim, nonce), nonce, at, base, feedback, past });
}

/** The session that a turn continues, and its cost so far. */
function sessionOf({ spec, sessionId, sessionUsage }: LoopState) {
  const continues = spec?.context === "continue" && sessionId !== null;
  return continues ? { sessionId, sessionUsage } : { sessionId: null, sessionUsage: NO_USAGE };
}

/** The timeout of a turn: its own, or the rest of the loop's time if that is less. */
function turnTimeoutMs(state: LoopState, spec: LoopSpec, nowMs: number): number {
  const { maxMs } = state.limits;
  const left = maxMs === null ? Number.POSITIVE_INFINITY : maxMs - workedMs(state, nowMs);
  return Math.max(1, Math.min(spec.patience.iterationTimeoutMs, left));
}

function turnEvent(state: LoopState, result: TurnResult, ports: EnginePorts): LoopEvent {
  const { n, attempt } = state;
  const fault = sessionFault(state, result.fault);
  const { refused, usage, sessionId, sessionUsage, source, tools, model, reading, review, discarded, left } = result;
  if (fault && !isFailure(fault.kind)) {
    const times = (state.voids?.why === fault.kind ? state.voids.times : 0) + 1;
    const retryAtMs = retryAt(fault.kind, fault.retryAtMs, times, ports);
    const known = { usage, ...costOf(result.usageUnknown), ...toolsOf(tools) };
    return { type: "turn.voided", n, attempt, why: fault.kind, detail: fault.detail, retryAtMs, ...known };
  }
  const failed = fault && isFailure(fault.kind) ? { kind: fault.kind, detail: fault.detail } : null;
  const { notes = [], ...claimed } = reading;
  const said = failed ? { claim: null, doubts: [], blocked: null } : { ...claimed, ...reviewed(review) };
  const carried = remembers(state) && result.lastMessage ? carriedMessage(result.lastMessage) : "";
  const known = {
    usage,
    ...costOf(result.usageUnknown),
    sessionId,
    sessionUsage,
    source,
    tools,
    model,
    ...endOf(result),
    ...(carried === "" ? {} : { said: carried }),
    ...(remembers(state) && notes.length > 0 ? { notes } : {}),
    ...(discarded ? { discarded } : {}),
    ...(result.refusals ? { refusals: result.refusals } : {}),
    ...(left ? { left } : {}),
  };
  return { type: "turn.ended", n, attempt, ...said, failed, refused, ...known };
}

const toolsOf = (tools: string | null | undefined): Pick<TurnVoided, "usedTools"> => (tools ? { usedTools: true } : {});

const endOf = ({ logTo }: TurnResult) => (logTo === undefined ? {} : { logTo });

const costOf = (unknown: boolean | undefined) => (unknown ? { usageUnknown: true as const } : {});

/** A session that earlier turns have filled counts as lost; this is not a failure of the current turn. */
const sessionFault = (state: LoopState, fault: TurnFault | null): TurnFault | null =>
  fault?.kind === "context-exceeded" && sessionOf(state).sessionId !== null ? { ...fault, kind: "bad-session" } : fault;

const reviewed = (read: TurnResult["review"]) => {
  if (!read) return {};
  return "review" in read ? { review: read.review } : { reviewFault: read.fault };
};

/** The reported reset time, or the backoff. A minimum applies: a reported time may be in the past repeatedly. */
function retryAt(why: Trouble, retryAtMs: number | undefined, times: number, ports: EnginePorts): number | null {
  const backoff = backoffMs(why, times, ports.random());
  if (backoff === null) return retryAtMs ?? null;
  const leastMs = Math.min(backoff, 1_000 * 2 ** (times - 1));
  return retryAtMs === undefined ? ports.now() + backoff : Math.max(retryAtMs, ports.now() + leastMs);
}

const isFailure = (kind: TurnFault["kind"]): kind is Failure => FAILURES.some((failure) => failure === kind);
