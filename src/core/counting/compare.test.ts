import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import type { TestCounts } from "../loop/events.ts";
import { compareRuns, contradiction, type SourceFacts } from "./compare.ts";
import type { Ran } from "./counter.ts";
import type { Times } from "./tally.ts";

const NOTHING: SourceFacts = { present: () => [], presentFiles: () => [], fewerIn: () => [], removed: () => 0 };

/** A run with a letter for each passing test, a capital letter for a skipped one, and `!` before a failing one. */
function run(text: string, more: Partial<TestCounts> = {}): Ran {
  const tests: Record<string, Times> = {};
  const counts = { ran: 0, passed: 0, failed: 0, skipped: 0 };
  for (const [, bang = "", letter = ""] of text.matchAll(/(!?)([a-zA-Z])/g)) {
    const name = letter.toLowerCase();
    const part = bang ? "failed" : name === letter ? "passed" : "skipped";
    const [a, b, c] = tests[name] ?? [0, 0, 0];
    tests[name] = [a + Number(part === "passed"), b + Number(part === "failed"), c + Number(part === "skipped")];
    counts[part] += 1;
    counts.ran += Number(part !== "skipped");
  }
  return { counts: { ...counts, ...more }, names: { tests, files: {} } };
}

const unnamed = (ran: Ran): Ran => ({ ...ran, names: { tests: {}, files: {} } });
const GREEN = { wasGreen: true, tests: "kept" } as const;
const found = (
  before: Ran,
  now: Ran,
  source: Partial<SourceFacts> = {},
  how: Partial<Parameters<typeof compareRuns>[0]> = {},
) => compareRuns({ before, now, ...GREEN, ...how }, { ...NOTHING, ...source });
const all = (names: readonly string[]) => names;

test.each<[string, Ran, Ran, Partial<SourceFacts>, ReturnType<typeof found>]>([
  ["the same tests", run("abc"), run("abc"), {}, null],
  ["more tests", run("abc"), run("abcd"), {}, null],
  ["fewer tests", run("abc"), run("a"), {}, { fault: "3 tests ran before, 1 now: missing `b`, `c`" }],
  ["as many with other names", run("abc"), run("abx"), {}, { note: "1 test has another name" }],
  [
    "as many, and the old ones still exist",
    run("abc"),
    run("abx"),
    { present: all },
    { fault: "3 tests ran before, 3 now: missing `c`" },
  ],
  ["a test skipped now", run("abc"), run("abCx"), {}, { fault: "3 tests ran before, 3 now: missing `c`" }],
  ["a test skipped before", run("abC"), run("abC"), {}, null],
  ["new skipped tests", run("ab"), run("abCD"), {}, null],
  [
    "removed with what they test",
    run("abc"),
    run("ab"),
    { removed: () => 1 },
    { note: "1 test was removed with what it tests" },
  ],
  [
    "more gone than were removed",
    run("abc"),
    run("a"),
    { removed: () => 1 },
    { fault: "3 tests ran before, 1 now: missing `b`, `c`" },
  ],
  [
    "files of which fewer tests run",
    { ...unnamed(run("abc")), names: { tests: {}, files: { a: 2, b: 1 } } },
    { ...unnamed(run("abx")), names: { tests: {}, files: { a: 1, b: 1, c: 1 } } },
    { fewerIn: (was) => Object.keys(was).slice(0, 1) },
    { fault: "fewer tests of a run than before" },
  ],
  [
    "files whose tests are not all counted",
    { ...unnamed(run("abc")), names: { tests: {}, files: { a: 2, b: 0 } } },
    { ...unnamed(run("abx")), names: { tests: {}, files: { a: 1, b: 0 } } },
    { fewerIn: (was) => Object.keys(was) },
    null,
  ],
  ["totals only", unnamed(run("abc")), unnamed(run("ab")), {}, { fault: "3 tests ran before, 2 now" }],
  ["names only before", run("abc"), unnamed(run("abd")), {}, null],
  [
    "no number now",
    run("abc"),
    { counts: null, names: { tests: {}, files: {} } },
    {},
    { fault: "3 tests ran before, and no number is reported now" },
  ],
  ["nothing counted before", { counts: null, names: { tests: {}, files: {} } }, run("a"), {}, null],
  [
    "a runner that is silent now",
    run("ab", { runners: { pytest: 1, jest: 1 } }),
    run("abc", { runners: { jest: 3 } }),
    {},
    { fault: "pytest ran 1 test before, and reports none now" },
  ],
  [
    "another runner in its place",
    run("ab", { runners: { mocha: 2 } }),
    run("ab", { runners: { vitest: 2 } }),
    {},
    null,
  ],
  ["a file that could not be loaded", run("a!b", { broken: 1 }), run("ac"), {}, { note: "1 test has another name" }],
])("%s", (_name, before, now, source, expected) => {
  expect(found(before, now, source)).toEqual(expected);
});

test("of summaries that replace each other, both ways to count must agree unless the first of two runs had failed", () => {
  const twice = (last: number, every: number, repeats: number): Ran =>
    unnamed({
      counts: { ran: last, passed: last, failed: 0, skipped: 0, repeats, all: every },
      names: { tests: {}, files: {} },
    });
  const once = unnamed(run("abcdefghij"));
  expect(found(once, twice(7, 17, 1))).toEqual({ fault: "10 tests ran before, 7 now" });
  expect(found(once, twice(5, 15, 1), {}, { wasGreen: false })).toBeNull();
  expect(found(twice(5, 15, 1), twice(5, 15, 1))).toBeNull();
  expect(found(twice(5, 15, 1), twice(5, 12, 1))).not.toBeNull();
});

test("what the settings allow", () => {
  expect(found(run("abc"), run("a"), {}, { tests: "free" })).toEqual({ note: "3 → 1 test" });
  expect(found(run("abc"), run("xyz"), { present: all }, { tests: "rewritten" })).toEqual({
    note: "3 tests have other names",
  });
  expect(found(run("abc"), run("xy"), {}, { tests: "rewritten" })).toHaveProperty("fault");
});

test("a summary that contradicts its exit code", () => {
  expect([run("a!b"), run("A"), run("a")].map(({ counts }) => contradiction(counts))).toEqual([
    "1 test failed",
    "no test ran",
    null,
  ]);
  expect(contradiction(null)).toBeNull();
});

const LETTERS = fc.array(fc.constantFrom(..."abcdefg"), { minLength: 1, maxLength: 12 }).map((list) => list.join(""));

test("adding tests is never a fault, and taking one away without a replacement always is", () => {
  fc.assert(
    fc.property(LETTERS, LETTERS, fc.nat(), (before, more, at) => {
      expect(found(run(before), run(before + more))).toBeNull();
      const place = at % before.length;
      const fewer = before.slice(0, place) + before.slice(place + 1);
      expect(found(run(before), run(fewer))).toHaveProperty("fault");
      // With or without names, in any order.
      expect(found(unnamed(run(before)), unnamed(run(fewer)))).toHaveProperty("fault");
      expect(found(run(before), run([...before].reverse().join("")))).toBeNull();
    }),
    { numRuns: runs(500) },
  );
});
