import { expect, test } from "vitest";
import type { CheckResult } from "../loop/events.ts";
import type { BaselineState } from "../loop/state.ts";
import { type ChangedPart, NO_EVIDENCE, type WorkEvidence } from "./evidence.ts";
import type { Level } from "./level.ts";
import { grewWords, weakWords } from "./weakness.ts";

const FACTS = {
  evidence: NO_EVIDENCE,
  look: "ralph diff",
  noted: [],
  ownTests: false,
  judgeUnavailable: false,
  unprotected: false,
  unsealed: false,
  noBaseline: false,
  unseen: false,
};

const changed = (...kinds: ChangedPart["kind"][]): ChangedPart[] =>
  kinds.map((kind) => ({ kind, path: `a.${kind}`, change: "changed", added: 1, removed: 1 }));
const suppressed = (...names: string[]) => ({
  count: names.length,
  places: names.map((name) => ({ tool: name, rank: 1, name, path: "a.ts", line: 1, text: `// ${name}` })),
});

test.each<[Partial<WorkEvidence>, string[]]>([
  [{}, []],
  [{ changed: changed("test") }, ["a test file changed: ralph diff --tests"]],
  [{ changed: changed("test", "snapshot", "test") }, ["2 test files and a snapshot changed: ralph diff --tests"]],
  [
    { changed: changed("fixture", "fixture", "helper", "test", "fixture") },
    ["a test file, 3 fixtures and a test helper changed: ralph diff --tests"],
  ],
  [{ suppressions: suppressed("noqa") }, ["a new suppression (noqa): ralph diff"]],
  [
    { suppressions: suppressed("eslint-disable", "@ts-ignore", "eslint-disable", "a", "b") },
    ["5 new suppressions (eslint-disable, @ts-ignore, a and 1 more): ralph diff"],
  ],
  [{ dependsOnChangedTests: true }, ["proof depends on changed tests: ralph diff --tests"]],
  [{ hidden: true }, ["what changed could not be seen"]],
])("%j is %j", (evidence, words) => {
  expect(weakWords({ ...FACTS, evidence: { ...NO_EVIDENCE, ...evidence } })).toEqual(words);
});

test("the most serious comes first", () => {
  const all = { ownTests: true, judgeUnavailable: true, unprotected: true, noBaseline: true, unseen: true };
  const evidence = { ...NO_EVIDENCE, changed: changed("test"), dependsOnChangedTests: true };
  expect(weakWords({ ...FACTS, ...all, evidence })).toEqual([
    "proof depends on changed tests: ralph diff --tests",
    "a test file changed: ralph diff --tests",
    "the agent wrote its own tests",
    "judge unavailable",
    "nothing was protected",
    "no baseline was taken",
    "whether work was done could not be seen",
  ]);
});

const check = (name: string, ran: number): CheckResult => ({
  name,
  command: name,
  is: "pass",
  code: 0,
  reason: "",
  excerpt: "",
  log: null,
  ms: 1,
  tests: { ran, passed: ran, failed: 0, skipped: 0 },
});
const before = (ran: Record<string, number>): BaselineState => ({ head: "", tree: null, was: {}, ran, refused: null });

test.each<[Level, CheckResult[], BaselineState | null, string]>([
  ["still-green", [check("a", 17)], before({ a: 14 }), "14 → 17 tests"],
  ["still-green", [check("a", 14)], before({ a: 14 }), "14 tests, as before"],
  ["still-green", [check("a", 1)], before({ a: 1 }), "1 test, as before"],
  ["still-green", [check("a", 3), check("b", 2)], before({ a: 3, b: 4 }), "7 → 5 tests"],
  ["still-green", [check("a", 3), check("b", 2)], before({ a: 2 }), "2 → 3 tests"],
  ["still-green", [check("a", 17)], null, ""],
  ["verified", [check("a", 17)], before({ a: 14 }), ""],
])("%s: %#", (proof, checks, baseline, words) => {
  expect(grewWords({ proof, checks }, baseline)).toBe(words);
});
