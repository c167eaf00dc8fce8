import type { CheckResult, Verdict } from "../loop/events.ts";
import type { BaselineState } from "../loop/state.ts";
import { isAsBefore } from "./level.ts";

/** Numbers of changed files that decide completion and existed before the work. */
export type ChangedParts = Readonly<Partial<Record<"test" | "snapshot" | "fixture" | "helper", number>>>;

/** Facts about a proof in addition to its checks. */
interface WeakFacts {
  changed: ChangedParts;
  /** The command that shows the changes. */
  look: string;
  /** Every check that went from red to green was decided by tests that the work added. */
  ownTests: boolean;
  judgeUnavailable: boolean;
  unprotected: boolean;
  noBaseline: boolean;
  /** No tool was reported, and there is no git to see the work by. */
  unseen: boolean;
}

/** What weakens a proof, in words for the last line, most serious first. */
export function weakWords(facts: WeakFacts): string[] {
  const changed = changedWords(facts.changed);
  return [
    ...(changed ? [`${changed} changed: ${facts.look}`] : []),
    ...(facts.ownTests ? ["the agent wrote its own tests"] : []),
    ...(facts.judgeUnavailable ? ["judge unavailable"] : []),
    ...(facts.unprotected ? ["nothing was protected"] : []),
    ...(facts.noBaseline ? ["no baseline was taken"] : []),
    ...(facts.unseen ? ["whether work was done could not be seen"] : []),
  ];
}

const NAMES: Readonly<Record<keyof ChangedParts, string>> = {
  test: "test file",
  snapshot: "snapshot",
  fixture: "fixture",
  helper: "test helper",
};

/** `2 test files and a snapshot`; empty if there are none. */
function changedWords(changed: ChangedParts): string {
  const parts = (["test", "snapshot", "fixture", "helper"] as const).flatMap((part) => {
    const count = changed[part] ?? 0;
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
