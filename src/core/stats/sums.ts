import { isLevel, LEVELS, type Level } from "../proof/level.ts";
import { type Amounts, addAmounts, NO_AMOUNTS } from "./amounts.ts";
import type { IterationReading } from "./reading.ts";

/** `accepted`: it completed its loop, at any level. `undecided`: the checks could not run; never a pass. */
interface Claims {
  accepted: number;
  refused: number;
  undecided: number;
}

export interface Sums extends Amounts {
  loops: number;
  running: number;
  /** Only loops of level `verified`. */
  verified: number;
  levels: Record<Level, number>;
  finished: number;
  iterations: number;
  claims: Claims;
  firstClaims: Claims;
  refused: Amounts;
  timeOuts: number;
  failures: number;
  troubles: number;
}

const noClaims = (): Claims => ({ accepted: 0, refused: 0, undecided: 0 });

export const noSums = (): Sums => ({
  ...NO_AMOUNTS,
  loops: 0,
  running: 0,
  verified: 0,
  levels: { verified: 0, judged: 0, "still-green": 0, "promise-only": 0 },
  finished: 0,
  iterations: 0,
  claims: noClaims(),
  firstClaims: noClaims(),
  refused: { ...NO_AMOUNTS },
  timeOuts: 0,
  failures: 0,
  troubles: 0,
});

/** The result of an iteration's claim; null if there was no claim, or no result yet. */
export function claimKind({ outcome, claimed }: IterationReading): keyof Claims | null {
  if (!claimed) return null;
  if (isLevel(outcome)) return "accepted";
  if (outcome === "refused" || outcome === "undecided") return outcome;
  // An agent that finds faults or is blocked has made no acceptable claim.
  return null;
}

export function addIteration(sums: Sums, iteration: IterationReading): void {
  addAmounts(sums, iteration);
  sums.troubles += iteration.troubles;
  if (!iteration.done) return;
  sums.iterations += 1;
  const claim = claimKind(iteration);
  if (claim) sums.claims[claim] += 1;
  if (claim === "refused") addAmounts(sums.refused, iteration);
  if (iteration.outcome === "timed-out") sums.timeOuts += 1;
  if (iteration.outcome === "failed") sums.failures += 1;
}

/** The accepted share of the checked claims; null if there were none. */
export function shareAccepted({ accepted, refused, undecided }: Claims): number | null {
  const all = accepted + refused + undecided;
  return all === 0 ? null : accepted / all;
}

export const completedIn = ({ levels }: Pick<Sums, "levels">): number =>
  LEVELS.reduce((sum, level) => sum + levels[level], 0);
