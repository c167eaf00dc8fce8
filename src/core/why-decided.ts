import { firstNamed } from "./excerpt.ts";
import { objectionTo } from "./loop/decide.ts";
import type { CheckResult, Verdict } from "./loop/events.ts";
import { isFailing } from "./loop/feedback-results.ts";
import type { LoopState, Turn } from "./loop/state.ts";
import { stopFacts } from "./loop/stop-reasons.ts";
import { doubtWords, reasonWords } from "./loop/words.ts";
import { LEVEL_WORDS, type Level } from "./proof/level.ts";
import { backingLeaves } from "./proof/methods.ts";
import { proofOf, weakIn } from "./proof/shown.ts";
import { objectionWords } from "./why.ts";

/** The names of the tests that failed in a check; empty if its runner gave none. */
export type FailingTests = (result: CheckResult) => readonly string[];

/** What decided how a loop ended; for one that has not stopped, what decides next. */
export function decidedWords(state: LoopState, failing: FailingTests = () => []): string {
  const { stopped } = state;
  if (!stopped) return openWords(state);
  const level = proofOf(stopped.reason);
  const words = level ? provenWords(level, state) : stoppedWords(state, stopped.detail, failing);
  const weak = weakIn(state);
  return weak.length > 0 ? `${words}; weakened: ${weak.join("; ")}` : words;
}

function provenWords(level: Level, { turn, stopped }: LoopState): string {
  const checks = (turn?.verdict?.checks ?? []).filter(({ optional }) => !optional);
  const fixed = checks.filter(({ since }) => since === "fixed").map(({ name }) => name);
  if (level === "verified" && fixed.length > 0)
    return `failed before the work, passes now: ${firstNamed(fixed, SHOWN)}`;
  return [LEVEL_WORDS[level].means, stopped?.detail].filter(Boolean).join("; ");
}

/** A limit does not say what was missing; other reasons come with their detail. */
function stoppedWords(state: LoopState, detail: string, failing: FailingTests): string {
  const reason = state.stopped?.reason ?? "interrupted";
  const means = [reasonWords(reason, "", { foreign: state.foreign }).means, detail].filter(Boolean).join(": ");
  const { loop } = stopFacts(reason);
  const isMissing = loop === "limit" || reason === "cancelled" || reason === "interrupted" || reason === "budget";
  const missing = isMissing ? refusalWords(state, failing) : null;
  return missing === null ? means : `${means}; ${missing}`;
}

const SHOWN = 5;
const TESTS_SHOWN = 3;

/** Why the last iteration was not enough; null before the first one has ended. */
export function refusalWords(state: LoopState, failing: FailingTests = () => []): string | null {
  const { turn } = state;
  if (!turn?.ended) return null;
  if (turn.failed) return `the agent failed (${turn.failed.kind}: ${turn.failed.detail})`;
  const { verdict } = turn;
  if (verdict && verdict.is !== "pass")
    return `${turn.claim ? "the last claim was not proven" : "the checks do not pass yet"}: ${verdictWords(verdict, failing)}`;
  const objection = objectionTo(state, turn);
  if (objection === "no-claim") return noClaimWords(turn);
  return objection === null ? null : objectionWords(objection, turn.guards ?? []);
}

function noClaimWords({ doubts }: Turn): string {
  const guarded = doubts.find(({ is }) => is === "guarded");
  return guarded ? `no claim counted (${doubtWords(guarded)})` : "the agent claimed nothing in the last iteration";
}

function verdictWords({ reason, checks }: Verdict, failing: FailingTests): string {
  const tests = checks.filter((check) => isFailing(check) && !check.sealed).flatMap(failing);
  return tests.length > 0 ? `${reason} (failed: ${firstNamed(tests, TESTS_SHOWN)})` : reason;
}

/** What a loop that has not stopped still needs. */
function openWords(state: LoopState): string {
  const { spec } = state;
  if (!spec) return "";
  if (spec.ends === "turn") return "the end of the agent's turn";
  const when = spec.ends === "checks" ? "after each iteration" : `once the agent claims ${spec.claim.promise}`;
  const leaves = backingLeaves(spec.proof.stages).filter(({ required }) => required);
  if (leaves.length === 0) return `${when}, its word alone: there is no check`;
  return `${when}: ${firstNamed(
    leaves.map(({ name }) => name),
    SHOWN,
  )}`;
}
