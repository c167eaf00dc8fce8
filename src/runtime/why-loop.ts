import type { Blobs } from "../core/blobs.ts";
import type { CheckResult } from "../core/loop/events.ts";
import { shownSpec } from "../core/loop/notes.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoopSummary } from "../core/loop/store.ts";
import { reasonWords } from "../core/loop/words.ts";
import { isLevel, LEVEL_WORDS } from "../core/proof/level.ts";
import { criteriaOf } from "../core/proof/proved.ts";
import { proofOf, weakIn } from "../core/proof/shown.ts";
import { attemptsOf, type Explained, type ExplainedAttempt, type ExplainedBaseline } from "../core/why.ts";
import { decidedWords, type FailingTests } from "../core/why-decided.ts";
import { loopBlobs, type Workspace } from "../core/workspace.ts";
import type { LoopView } from "../engine/named.ts";
import { failingTestsOf } from "../verify/counting/failing-tests.ts";
import { journalOf, readableEntries, stateOf, type VerifiedJournal } from "./readable-journal.ts";

interface Stretch {
  /** Only iterations after this one, and at most `limit` attempts. */
  after?: number;
  limit?: number;
}

export async function explainLoop(workspace: Workspace, loop: LoopSummary, stretch: Stretch = {}) {
  const { store } = workspace;
  const { after = 0, limit = Number.POSITIVE_INFINITY } = stretch;
  const journal = await journalOf({ store }, loop.id);
  const { state, decided } = await decidedOf(workspace, loop, journal);
  const blobs = loopBlobs(workspace, loop.id);
  const iterations: (ExplainedAttempt & { failingTests: Record<string, readonly string[]> })[] = [];
  let baseline: ExplainedBaseline | null = null;
  for await (const explained of attemptsOf(readableEntries({ store }, loop.id, journal))) {
    if (explained.is === "baseline") baseline = explained;
    else if (explained.n > after && iterations.length < limit)
      iterations.push({ ...explained, failingTests: namesIn(explained, await failingIn(blobs, explained)) });
  }
  return {
    ...loop,
    proof: proofOf(loop.reason),
    weak: [...weakIn(state)],
    spec: state.spec && shownSpec(state.spec),
    fingerprints: state.fingerprints,
    criteria: state.spec ? criteriaOf(state.spec.proof, state.proved, state.turn?.verdict?.checks) : [],
    decided,
    baseline,
    iterations,
    next: nextOf(loop, state),
    journal,
  };
}

/** What was decided about the last iteration that has ended; null if there is none. */
export type LastDecision = string | null;

/**
 * A loop's last state, what decided how it ended (or decides next), and the command to type next. `last`: for callers
 * that have read its attempts.
 */
export async function loopStory(
  workspace: Workspace,
  loop: LoopView,
  journal: VerifiedJournal,
  last?: LastDecision,
): Promise<{ state: LoopState; decided: string; next: string }> {
  const { state, decided } = await decidedOf(workspace, loop, journal, last);
  return { state, decided, next: nextOf(loop, state) || afterwards(loop) };
}

async function decidedOf(workspace: Workspace, loop: LoopSummary, journal: VerifiedJournal, known?: LastDecision) {
  const state = await stateOf(workspace, loop.id, journal);
  // The readable part of a damaged journal lacks its end, which the loop's row still has.
  if (!state.stopped && loop.reason) {
    const { means } = reasonWords(loop.reason, "", { foreign: state.foreign });
    return { state, decided: [means, loop.detail].filter(Boolean).join(": ") };
  }
  const failing = await failingTestsOf(loopBlobs(workspace, loop.id), state.turn?.verdict?.checks ?? []);
  const read = () => (known === undefined ? lastDecision(workspace, loop.id, journal) : known);
  const last = state.stopped ? null : await read();
  const decided = [decidedWords(state, failing), ...(last === null ? [] : [`so far: ${last}`])].join("; ");
  return { state, decided };
}

async function lastDecision(workspace: Workspace, loop: string, journal: VerifiedJournal): Promise<LastDecision> {
  let last: LastDecision = null;
  for await (const explained of attemptsOf(readableEntries(workspace, loop, journal)))
    last = decisionOf(explained) ?? last;
  return last;
}

/** What was decided about an iteration; null if it has not ended. */
export const decisionOf = (explained: Explained): LastDecision =>
  explained.is === "attempt" && explained.ended ? explained.decision.replace(/^continued: /, "") : null;

/** The names of the failing tests in an attempt or the baseline, as far as they are known. */
export const failingIn = (blobs: Blobs, explained: Explained): Promise<FailingTests> =>
  failingTestsOf(blobs, resultsIn(explained));

const resultsIn = (explained: Explained): readonly CheckResult[] =>
  explained.is === "baseline"
    ? explained.results
    : [...explained.guards, ...explained.verdicts.flatMap(({ checks }) => checks)];

/** The names by check; checks without names are left out. */
export const namesIn = (explained: Explained, failing: FailingTests): Record<string, readonly string[]> =>
  Object.fromEntries(
    resultsIn(explained).flatMap((result) => (failing(result).length > 0 ? [[result.name, failing(result)]] : [])),
  );

/** What the user can do about a stopped loop; empty if nothing. */
export const nextOf = (loop: LoopSummary, { foreign, turn, limits }: LoopState): string =>
  loop.reason ? reasonWords(loop.reason, loop.id, { ...loop, limits, foreign, refusals: turn?.refusals }).next : "";

/** What the user can do although nothing is wrong. */
function afterwards({ id, reason, part, run, held, driver }: LoopView): string {
  if (reason === null && held) return `ralph logs -f ${id}${driver === "host" ? "" : ` · ralph cancel ${id}`}`;
  if (reason === null) return part ? "ralph execute" : run ? `ralph workflow resume ${run.run}` : `ralph resume ${id}`;
  if (part) return `ralph why ${part.task}`;
  if (run) return `ralph why ${run.run}`;
  const hint = isLevel(reason) ? LEVEL_WORDS[reason].hint : "";
  return `ralph diff ${id} shows the changes${hint ? `; for a stronger proof ${hint}` : ""}`;
}
