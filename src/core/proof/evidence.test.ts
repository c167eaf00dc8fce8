import { expect, test } from "vitest";
import { someSpec } from "../../../test/support/spec.ts";
import type { LoopRole } from "../task/role.ts";
import { type ChangedPart, evidenceAgainst, NO_EVIDENCE, vetoes, type WorkEvidence } from "./evidence.ts";

const part = (kind: ChangedPart["kind"], more: Partial<ChangedPart> = {}): ChangedPart => ({
  ...{ kind, path: `a.${kind}`, change: "changed", added: 1, removed: 2 },
  ...more,
});
const suppressions = (...names: string[]) => ({
  count: names.length,
  places: names.map((name) => ({ tool: name, rank: 1, name, path: "a.ts", line: 3, text: `// ${name}` })),
});
const evidence = (more: Partial<WorkEvidence>): WorkEvidence => ({ ...NO_EVIDENCE, ...more });

test.each<[string, Partial<WorkEvidence>, string[]]>([
  ["nothing", {}, []],
  ["a test", { changed: [part("test")] }, []],
  ["named snapshots of new tests", { changed: [part("snapshot", { keepsEntries: true })] }, []],
  ["a snapshot", { changed: [part("snapshot")] }, ["expected-results"]],
  ["a deleted fixture", { changed: [part("fixture", { change: "deleted" })] }, ["expected-results"]],
  [
    "a helper and a suppression",
    { changed: [part("helper")], suppressions: suppressions("noqa") },
    ["expected-results", "suppressions"],
  ],
  ["tests that decide", { changed: [part("test")], dependsOnChangedTests: true }, ["changed-tests"]],
  ["changes that became invisible", { hidden: true }, ["git-readable"]],
])("refused with strict: %s", (_name, more, rules) => {
  expect(vetoes(evidence(more), { strict: true }).map(({ rule }) => rule)).toEqual(rules);
  expect(vetoes(evidence(more), { strict: false })).toEqual([]);
});

test("the words say what and where", () => {
  const all = evidence({
    changed: [part("fixture"), part("test")],
    suppressions: suppressions("noqa", "nosec"),
    dependsOnChangedTests: true,
  });
  expect(vetoes(all, { strict: true }).map(({ text }) => text)).toEqual([
    "files with expected results of tests, or that tests use, were changed (a.fixture): restore them and fix the code instead; what new tests need belongs in new files",
    "2 new suppressions (a.ts:3 noqa, a.ts:3 nosec): remove them and fix what they hide",
    "the checks pass only with changed tests (a.test): restore the tests and make them pass; put new tests in addition to them",
  ]);
});

const FULL = evidence({ changed: [part("test")], suppressions: suppressions("noqa"), dependsOnChangedTests: true });
const loopOf = (place: LoopRole | null, testsMayChange = false) => {
  const spec = someSpec();
  const task = { task: "A", place: place ?? "coder", execution: "x", description: "", method: "" };
  return { part: place && task, proof: { ...spec.proof, testsMayChange } };
};
const seen = { baseline: { head: "", tree: null, was: {}, refused: null, snapshot: "abc" } };

test("what counts depends on whose loop it is", () => {
  expect(evidenceAgainst(loopOf(null), seen, FULL)).toBe(FULL);
  expect(evidenceAgainst(loopOf("coder"), seen, FULL)).toBe(FULL);
  for (const place of ["reviewer", "tester", "qa"] as const)
    expect(evidenceAgainst(loopOf(place), seen, FULL)).toBe(NO_EVIDENCE);
  const allowed = { ...FULL, changed: [], dependsOnChangedTests: false };
  expect(evidenceAgainst(loopOf(null, true), seen, FULL)).toEqual(allowed);
});

test("changes that git shows no longer are hidden, others were never visible", () => {
  expect(evidenceAgainst(loopOf(null), seen, null).hidden).toBe(true);
  expect(evidenceAgainst(loopOf(null), { baseline: null }, null).hidden).toBe(false);
  expect(evidenceAgainst(loopOf("tester"), seen, null).hidden).toBe(false);
});
