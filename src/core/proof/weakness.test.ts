import { expect, test } from "vitest";
import type { CheckResult } from "../loop/events.ts";
import type { BaselineState } from "../loop/state.ts";
import type { Level } from "./level.ts";
import { type ChangedParts, grewWords, weakWords } from "./weakness.ts";

const FACTS = {
  changed: {},
  look: "ralph diff --tests",
  ownTests: false,
  judgeUnavailable: false,
  unprotected: false,
  noBaseline: false,
  unseen: false,
};

test.each<[ChangedParts, string[]]>([
  [{}, []],
  [{ test: 1 }, ["a test file changed: ralph diff --tests"]],
  [{ test: 2, snapshot: 1 }, ["2 test files and a snapshot changed: ralph diff --tests"]],
  [{ test: 1, fixture: 3, helper: 1 }, ["a test file, 3 fixtures and a test helper changed: ralph diff --tests"]],
])("%j is %j", (changed, words) => {
  expect(weakWords({ ...FACTS, changed })).toEqual(words);
});

test("the most serious comes first", () => {
  const all = { ownTests: true, judgeUnavailable: true, unprotected: true, noBaseline: true, unseen: true };
  expect(weakWords({ ...FACTS, ...all, changed: { test: 1 } })).toEqual([
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
