import { journalOf, readableEntries, stateOf } from "../adapters/store/readable-journal.ts";
import type { Workspace } from "../adapters/store/workspace.ts";
import { shownSpec } from "../core/loop/notes.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoopSummary } from "../core/loop/store.ts";
import { reasonWords } from "../core/loop/words.ts";
import { criteriaOf } from "../core/proof/proved.ts";
import { proofOf, weakIn } from "../core/proof/shown.ts";
import { attemptsOf, type ExplainedAttempt, type ExplainedBaseline } from "../core/why.ts";

interface Stretch {
  /** Only iterations after this one, and at most `limit` attempts. */
  after?: number;
  limit?: number;
}

export async function explainLoop({ store }: Workspace, loop: LoopSummary, stretch: Stretch = {}) {
  const { after = 0, limit = Number.POSITIVE_INFINITY } = stretch;
  const journal = await journalOf({ store }, loop.id);
  const state = await stateOf({ store }, loop.id, journal);
  const iterations: ExplainedAttempt[] = [];
  let baseline: ExplainedBaseline | null = null;
  for await (const explained of attemptsOf(readableEntries({ store }, loop.id, journal))) {
    if (explained.is === "baseline") baseline = explained;
    else if (explained.n > after && iterations.length < limit) iterations.push(explained);
  }
  return {
    ...loop,
    proof: proofOf(loop.reason),
    weak: [...weakIn(state)],
    spec: state.spec && shownSpec(state.spec),
    fingerprints: state.fingerprints,
    criteria: state.spec ? criteriaOf(state.spec.proof, state.proved, state.turn?.verdict?.checks) : [],
    baseline,
    iterations,
    next: nextOf(loop, state),
    journal,
  };
}

/** What the user can do about a stopped loop; empty if nothing. */
export const nextOf = (loop: LoopSummary, { foreign }: LoopState): string =>
  loop.reason ? reasonWords(loop.reason, loop.id, { ...loop, foreign }).next : "";
