import type { CheckResult, Verdict } from "../loop/events.ts";
import type { BaselineState } from "../loop/state.ts";
import { type ChangedPart, NAMES, suppressionSummary, type WorkEvidence } from "./evidence.ts";
import { isAsBefore } from "./level.ts";

/** Facts about a proof in addition to its checks. */
interface WeakFacts {
  evidence: WorkEvidence;
  /** The command that shows the changes of the work. */
  look: string;
  /** What is worth knowing about the tests that ran. */
  noted: readonly string[];
  /** Every check that went from red to green was decided by tests that the work added. */
  ownTests: boolean;
  judgeUnavailable: boolean;
  unprotected: boolean;
  /** The agent could read the sealed checks. */
  unsealed: boolean;
  noBaseline: boolean;
  /** No tool was reported, and there is no git to see the work by. */
  unseen: boolean;
}

/** What weakens a proof, in words for the last line, most serious first. */
export function weakWords(facts: WeakFacts): string[] {
  const { evidence, look } = facts;
  const changed = changedWords(evidence.changed);
  const suppressed = suppressionSummary(evidence.suppressions);
  return [
    ...(evidence.dependsOnChangedTests ? [`proof depends on changed tests: ${look} --tests`] : []),
    ...(changed ? [`${changed} changed: ${look} --tests`] : []),
    ...(suppressed ? [`${suppressed}: ${look}`] : []),
    ...(evidence.hidden ? ["what changed could not be seen"] : []),
    ...facts.noted,
    ...(facts.ownTests ? ["the agent wrote its own tests"] : []),
    ...(facts.judgeUnavailable ? ["judge unavailable"] : []),
    ...(facts.unprotected ? ["nothing was protected"] : []),
    ...(facts.unsealed ? ["the agent could read the sealed checks"] : []),
    ...(facts.noBaseline ? ["no baseline was taken"] : []),
    ...(facts.unseen ? ["whether work was done could not be seen"] : []),
  ];
}

/** `2 test files and a snapshot`; empty if there are none. */
function changedWords(changed: readonly ChangedPart[]): string {
  const parts = (["test", "snapshot", "fixture", "helper"] as const).flatMap((part) => {
    const count = changed.filter(({ kind }) => kind === part).length;
    if (count === 0) return [];
    return [count === 1 ? `a ${NAMES[part]}` : `${count} ${NAMES[part]}s`];
  });
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/**
 * The change in the number of tests, for a `still-green` proof: `14 → 17 tests`. Empty if either number is unknown.
 */
export function grewWords(
  { proof, checks }: Pick<Verdict, "proof" | "checks">,
  baseline: BaselineState | null,
): string {
  if (!isAsBefore(proof)) return "";
  const counted = checks.flatMap(({ name, tests }: CheckResult) => {
    const before = baseline?.ran?.[name];
    return tests && before !== undefined ? [{ before, now: tests.ran }] : [];
  });
  if (counted.length === 0) return "";
  const before = counted.reduce((sum, one) => sum + one.before, 0);
  const now = counted.reduce((sum, one) => sum + one.now, 0);
  const tests = now === 1 ? "test" : "tests";
  return before === now ? `${now} ${tests}, as before` : `${before} → ${now} ${tests}`;
}
