import { type Objection, objectionTo } from "./loop/decide.ts";
import type { Baseline, Entry, LogRef, LoopEvent, Settled, TurnEnded, TurnVoided, Verdict } from "./loop/events.ts";
import type { LeftOut } from "./loop/left-out.ts";
import { reduce } from "./loop/reduce.ts";
import { type BaselineState, type LoopState, START } from "./loop/state.ts";
import { addUsage, NO_USAGE, type Usage } from "./usage.ts";

/** The results before any work, and whether the loop could start. */
export interface ExplainedBaseline extends Baseline {
  is: "baseline";
  atMs: number;
  /** How many acceptance criteria were proved by then; null if there are none. */
  proved: LoopState["proved"];
  refused: BaselineState["refused"];
}

/** One attempt at an iteration, with all decisions about it. */
export interface ExplainedAttempt {
  is: "attempt";
  n: number;
  attempt: number;
  /** The index in the loop's list of agents. */
  agent: number;
  beganAtMs: number;
  /** When the agent's turn ended; null if it has not. */
  endedAtMs: number | null;
  log: LogRef | null;
  /** Of its turn, checks and effects. */
  usage: Usage;
  ended: TurnEnded | null;
  voided: TurnVoided | null;
  guards: (LoopEvent & { type: "guards.ended" })["results"];
  effects: { kind: string; is: string; detail: string; subject?: string; leftOut?: LeftOut }[];
  /** Why the claim was refused apart from its checks; null if it was not, or if the turn did not end. */
  objection: Objection | null;
  verdicts: Verdict[];
  /** How many acceptance criteria were proved by the last verification up to then; null if there are none. */
  proved: LoopState["proved"];
  /** The new driver, if the loop moved to or from a host meanwhile. */
  moves: string[];
  /** The stops during the attempt: more than one if it was resumed. */
  stops: string[];
  /** What the loop did next, and why. */
  decision: string;
}

export type Explained = ExplainedBaseline | ExplainedAttempt;

/** Reads a loop's journal attempt by attempt, baseline first, in bounded memory; the last decision may be open. */
export async function* attemptsOf(entries: AsyncIterable<Entry>): AsyncGenerator<Explained> {
  let state: LoopState = START;
  let attempt: ExplainedAttempt | null = null;
  for await (const entry of entries) {
    const { event } = entry;
    if (event.type === "turn.began") {
      if (attempt) yield closed(attempt, state, `continued: ${whyNotDone(state, attempt)}`);
      attempt = begin(event, entry.atMs);
    }
    const before = state;
    state = reduce(before, entry);
    if (attempt) note(attempt, entry, { before, after: state });
    if (event.type === "baseline.taken") yield explainBaseline(event, entry.atMs, state);
  }
  if (attempt) yield closed(attempt, state, state.stopped ? null : "not decided yet");
}

function explainBaseline({ results, head, tree }: Baseline, atMs: number, state: LoopState): ExplainedBaseline {
  return {
    is: "baseline",
    atMs,
    results,
    head,
    tree,
    proved: state.proved,
    refused: state.baseline?.refused ?? null,
  };
}

/** The result of an attempt: all stops before it was resumed, and the final decision. */
function closed(attempt: ExplainedAttempt, state: LoopState, end: string | null): ExplainedAttempt {
  return {
    ...attempt,
    objection: attempt.ended && state.turn ? objectionTo(state, state.turn) : null,
    proved: state.proved,
    decision: [...attempt.stops, ...(end ? [end] : [])].join("; then "),
  };
}

const begin = (
  { n, attempt, agent, log }: LoopEvent & { type: "turn.began" },
  beganAtMs: number,
): ExplainedAttempt => ({
  is: "attempt",
  n,
  attempt,
  agent,
  beganAtMs,
  endedAtMs: null,
  log,
  usage: NO_USAGE,
  ended: null,
  voided: null,
  guards: [],
  effects: [],
  objection: null,
  verdicts: [],
  proved: null,
  moves: [],
  stops: [],
  decision: "",
});

interface Step {
  before: LoopState;
  after: LoopState;
}

function note(attempt: ExplainedAttempt, { event, atMs }: Entry, { before, after }: Step): void {
  if ("usage" in event) attempt.usage = addUsage(attempt.usage, event.usage);
  if (event.type === "turn.ended" || event.type === "turn.voided") attempt.endedAtMs = atMs;
  const move = moveWords(event, before);
  if (move) attempt.moves.push(move);
  if (event.type === "turn.ended") attempt.ended = event;
  if (event.type === "turn.voided") attempt.voided = event;
  if (event.type === "guards.ended") attempt.guards = event.results;
  if (event.type === "loop.stopped") {
    // The reducer derives the level of loops of earlier versions.
    const reason = after.stopped?.reason ?? event.reason;
    attempt.stops.push(`stopped: ${reason}${event.detail ? ` (${event.detail})` : ""}`);
  }
  if (event.type === "claim.judged") attempt.verdicts.push(event.verdict);
  if (event.type === "effect.intended") attempt.effects.push({ kind: event.effect.kind, is: "intended", detail: "" });
  const last = attempt.effects.at(-1);
  if (event.type === "effect.settled" && last) Object.assign(last, resultOf(event));
}

const resultOf = ({ is, detail, subject, leftOut }: Settled): Settled => ({
  ...{ is, detail },
  ...(subject ? { subject } : {}),
  ...(leftOut ? { leftOut } : {}),
});

/** A host's loop with another driver or in another session. */
function moveWords(event: LoopEvent, before: LoopState): string | null {
  if (event.type === "session.moved") return `to session ${event.sessionId}, opened by its host`;
  if (event.type !== "loop.adopted") return null;
  if (event.driver === "host") return `to session ${event.sessionId ?? ""}`;
  return before.driver === "host" ? "from its host's session to ralph" : null;
}

/** Why a claim was not accepted, for display. */
export function objectionWords(objection: Objection, guards: ExplainedAttempt["guards"]): string {
  switch (objection) {
    case "no-claim":
      return "no claim";
    case "blocked":
      return "the agent says that it cannot continue";
    case "faults":
      return "the agent found faults that another agent has to fix";
    case "guardrail": {
      const red = guards.filter((guard) => guard.is !== "pass");
      return `vetoed by guardrail ${red.map((guard) => guard.name).join(", ")}`;
    }
    case "contradicted":
      return "the agent's own words contradict the claim";
    case "no-work":
      return "no tool was used and nothing was changed";
  }
}

function whyNotDone(s: LoopState, { voided, verdicts, guards, ended }: ExplainedAttempt): string {
  if (voided?.why === "interrupted") return "the turn was cut short; the same iteration runs again";
  if (voided) return `the environment failed (${voided.why}); the same iteration runs again`;
  if (ended?.failed) return `the agent failed (${ended.failed.kind})`;
  const verdict = verdicts.at(-1);
  if (verdict && verdict.is !== "pass")
    return `${ended?.claim ? "claim not proven" : "the checks do not pass yet"}: ${verdict.reason}`;
  const objection = s.turn && objectionTo(s, s.turn);
  return objection ? objectionWords(objection, guards) : "claim not accepted";
}
