import { firstNamed, shorten } from "../excerpt.ts";
import type { LoopSpec } from "../loop/spec.ts";
import type { LoopState } from "../loop/state.ts";
import { ROLES } from "../task/role.ts";
import { type NewSuppressions, NO_SUPPRESSIONS, type PlacedSuppression } from "./new-suppressions.ts";
import type { BreakableRule } from "./proof.ts";

/** A file that tests use, or that is one, which existed before the work and was changed. */
export interface ChangedPart {
  kind: "test" | "snapshot" | "fixture" | "helper";
  path: string;
  change: "changed" | "deleted" | "renamed";
  /** Number of lines; null for a binary file. */
  added: number | null;
  removed: number | null;
  /** Its named snapshots are as they were: test runners add those of new tests. */
  keepsEntries?: true;
}

/** What the work changed about how it is measured. */
export interface WorkEvidence {
  changed: readonly ChangedPart[];
  suppressions: NewSuppressions;
  /** The checks pass with the work and the changed tests, and not with the work and the tests as they were. */
  dependsOnChangedTests: boolean;
  /** The changes were visible when the loop started, and are not now. */
  hidden: boolean;
}

export const NO_EVIDENCE: WorkEvidence = {
  changed: [],
  suppressions: NO_SUPPRESSIONS,
  dependsOnChangedTests: false,
  hidden: false,
};

/** What counts against the proof of a loop. Agents that write tests or only review have none. `seen`: null if unknown. */
export function evidenceAgainst(
  { part, proof }: Pick<LoopSpec, "part" | "proof">,
  { baseline }: Pick<LoopState, "baseline">,
  seen: WorkEvidence | null,
): WorkEvidence {
  if (part && !ROLES[part.place].measuresProof) return NO_EVIDENCE;
  if (!seen) return { ...NO_EVIDENCE, hidden: Boolean(baseline?.snapshot) };
  return proof.testsMayChange ? { ...seen, changed: [], dependsOnChangedTests: false } : seen;
}

/** A rule that the evidence breaks, in words for the agent. */
interface Veto {
  rule: BreakableRule;
  text: string;
}

/** With `strict`, evidence against a proof refuses the claim. */
export function vetoes(evidence: WorkEvidence, { strict }: Pick<LoopSpec, "strict">): Veto[] {
  if (!strict) return [];
  const { changed, suppressions, dependsOnChangedTests, hidden } = evidence;
  const expected = changed.filter(isExpected).map(({ path }) => path);
  const vetoes: readonly (Veto | false)[] = [
    hidden && {
      rule: "git-readable",
      text: "git cannot determine what was changed: remove or ignore what is not part of the work",
    },
    expected.length > 0 && {
      rule: "expected-results",
      text: `files with expected results of tests, or that tests use, were changed (${firstNamed(expected)}): restore them and fix the code instead; what new tests need belongs in new files`,
    },
    suppressions.count > 0 && {
      rule: "suppressions",
      text: `${suppressionWords(suppressions)} (${firstNamed(suppressions.places.map(placeWords))}): ${suppressions.count === 1 ? "remove it and fix what it hides" : "remove them and fix what they hide"}`,
    },
    dependsOnChangedTests && {
      rule: "changed-tests",
      text: `the checks pass only with changed tests${testNames(changed)}: restore the tests and make them pass; put new tests in addition to them`,
    },
  ];
  return vetoes.filter((veto) => veto !== false);
}

/** A test file is more than expected results. */
const isExpected = ({ kind, keepsEntries }: ChangedPart): boolean => kind !== "test" && !keepsEntries;

function testNames(changed: readonly ChangedPart[]): string {
  const tests = changed.filter(({ kind }) => kind === "test").map(({ path }) => path);
  return tests.length > 0 ? ` (${firstNamed(tests)})` : "";
}

/** `2 new suppressions`. */
const suppressionWords = ({ count }: NewSuppressions): string =>
  count === 1 ? "a new suppression" : `${count} new suppressions`;

const PATH_CHARS = 160;

/** Where it is, and what it is. */
export const placeWords = ({ path, line, name }: PlacedSuppression): string =>
  `${shorten(path, PATH_CHARS)}:${line} ${name}`;

const MOST_NAMES = 3;

/** `2 new suppressions (eslint-disable, @ts-expect-error)`; empty if there are none. */
export function suppressionSummary(suppressions: NewSuppressions): string {
  if (suppressions.count === 0) return "";
  const names = [...new Set(suppressions.places.map(({ name }) => name))];
  return `${suppressionWords(suppressions)} (${firstNamed(names, MOST_NAMES)})`;
}

/** What a deciding file is called. */
export const NAMES: Readonly<Record<ChangedPart["kind"], string>> = {
  test: "test file",
  snapshot: "snapshot",
  fixture: "fixture",
  helper: "test helper",
};
