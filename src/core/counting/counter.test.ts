import { expect, test } from "vitest";
import { testCounter } from "./counter.ts";
import { failedNames } from "./failed-names.ts";

type Counted = [passed: number, failed: number, skipped: number] | null;

/** Text in small pieces, as it may arrive from a pipe. */
function counted(...outputs: string[]): Counted {
  const counter = testCounter();
  for (const output of outputs) {
    const take = counter.source();
    for (let i = 0; i < output.length; i += 7) take(output.slice(i, i + 7));
  }
  const counts = counter.ran().counts;
  if (!counts) return null;
  expect(counts.ran).toBe(counts.passed + counts.failed);
  return [counts.passed, counts.failed, counts.skipped];
}

const block = (mark: string, [tests, pass, fail, cancelled, skipped, todo]: readonly number[]) =>
  [
    ["tests", tests],
    ["suites", 1],
    ["pass", pass],
    ["fail", fail],
    ["cancelled", cancelled],
    ["skipped", skipped],
    ["todo", todo],
  ]
    .map(([word, count]) => `${mark} ${word} ${count}\n`)
    .join("");

test.each<[string, string, Counted]>([
  ["node:test, spec", `✔ s (0.9ms)\n${block("ℹ", [5, 3, 0, 0, 1, 1])}`, [3, 0, 2]],
  ["node:test, TAP", `1..3\n${block("#", [4, 2, 1, 1, 0, 0])}# duration_ms 406.3\n`, [2, 2, 0]],
  ["two runs of node:test", `TAP version 13\n${block("#", [3, 3, 0, 0, 0, 0])}`.repeat(2), [6, 0, 0]],
  [
    "a summary that a test prints before its runner's own",
    block("ℹ", [9, 9, 0, 0, 0, 0]) + block("ℹ", [3, 3, 0, 0, 0, 0]),
    [3, 0, 0],
  ],
  ["vitest", " Test Files  1 failed (2)\n      Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)\n", [3, 1, 2]],
  [
    "vitest in colours",
    "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[90m (3)\u001b[39m\n",
    [3, 0, 0],
  ],
  ["vitest without tests", "      Tests  no tests\n", [0, 0, 0]],
  ["jest", "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 1 todo, 3 passed, 5 total\n", [3, 0, 2]],
  ["mocha", "\n  3 passing (7ms)\n  2 pending\n  1 failing\n\n  1) x:\n", [3, 1, 2]],
  ["jasmine", "5 specs, 1 failure, 2 pending specs\n", [2, 1, 2]],
  ["ava", "  2 tests passed\n  1 test skipped\n  1 test todo\n", [2, 0, 2]],
  ["tap", "# { total: 5, pass: 3, todo: 1, skip: 1 }\n", [3, 0, 2]],
  ["bun", " 3 pass\n 1 skip\n 1 todo\n 0 fail\n 1 expect() calls\nRan 5 tests across 2 files. [6.00ms]\n", [3, 0, 2]],
  ["deno", "ok | 2 passed | 0 failed | 1 ignored (92ms)\n", [2, 0, 1]],
  ["pytest", "=== 2 passed, 1 skipped, 1 xfailed, 3 warnings in 0.84s ===\n", [2, 0, 2]],
  ["pytest -q", "..F\n1 failed, 2 passed in 62.10s (0:01:02)\n", [2, 1, 0]],
  ["pytest without tests", "==== no tests ran in 0.93s ====\n", [0, 0, 0]],
  ["unittest", "Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", [1, 2, 1]],
  [
    "cargo",
    "running 3 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\nrunning 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n",
    [3, 0, 1],
  ],
  [
    "go test -v",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/one (0.00s)\n--- SKIP: TestX (0.00s)\nPASS\n",
    [2, 0, 1],
  ],
  ["go test -json", '{"Action":"pass","Package":"p","Test":"TestA"}\n{"Action":"pass","Package":"p"}\n', [1, 0, 0]],
  [
    "ctest",
    "100% tests passed, 0 tests failed out of 3\n\nThe following tests did not run:\n\t  3 - x (Skipped)\n",
    [2, 0, 1],
  ],
  ["phpunit", "OK (2 tests, 2 assertions)\n", [2, 0, 0]],
  ["phpunit with errors", "Tests: 5, Assertions: 2, Errors: 1, Skipped: 1, Incomplete: 1.\n", [2, 1, 2]],
  ["rspec", "4 examples, 1 failure, 2 pending\n", [1, 1, 2]],
  ["minitest", "3 runs, 2 assertions, 0 failures, 0 errors, 1 skips\n", [2, 0, 1]],
  [
    "surefire",
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s\n[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n",
    [2, 0, 1],
  ],
  [
    "packages that turbo runs in parallel",
    "@x/a:test: # tests 2\n@x/b:test: Tests:       1 passed, 1 total\n@x/a:test: # suites 0\n@x/a:test: # pass 2\n@x/a:test: # fail 0\n@x/a:test: # cancelled 0\n@x/a:test: # skipped 0\n@x/a:test: # todo 0\n",
    [3, 0, 0],
  ],
  ["a last line without an end", "4 examples, 0 failures", [4, 0, 0]],
  ["go without -v, which prints no number", "--- FAIL: TestX (0.00s)\nok  \tp\t0.003s\n", null],
  ["TAP of Mocha", "ok 1 a\nok 2 x # SKIP -\nnot ok 3 b\n# tests 2\n# pass 1\n# fail 1\n1..3\n", [1, 1, 1]],
  ["TAP with its plan before the tests, as by bats", "1..2\nok 1 adds\nok 2 x # skip later\n", [1, 0, 1]],
  [
    "TAP of tape, whose points are assertions",
    "TAP version 13\n# adds\nok 1 should be equal\nok 2 should be equal\n# SKIP later\n# clamps\nnot ok 3 x\n\n1..3\n# tests 3\n# pass  2\n",
    [1, 1, 1],
  ],
  [
    "TAP of Vitest, with groups",
    "TAP version 13\n1..2\nok 1 - a.test.js {\n    1..2\n    ok 1 - s {\n        1..1\n        ok 1 - a\n    }\n    ok 2 - c # time=0.1ms\n}\nok 2 - b.test.js {\n    1..1\n    ok 1 - d # SKIP\n}\n",
    [2, 0, 1],
  ],
  [
    "TAP of subtests",
    "TAP version 14\n1..1\n# Subtest: g\n    ok 1 - a\n    ok 2 - b\n    1..2\nok 1 - g\n",
    [2, 0, 0],
  ],
  ["uvu", "\n  Total:     5\n  Passed:    4\n  Skipped:   1\n  Duration:  0.44ms\n", [4, 1, 1]],
  [
    "vitest, JSON",
    '{"numTotalTestSuites":3,"numTotalTests":5,"numPassedTests":3,"numFailedTests":1,"numPendingTests":1,"numTodoTests":0}',
    [3, 1, 1],
  ],
  [
    "a JUnit report",
    '<testsuites name="x" tests="3">\n <testsuite name="a">\n  <testcase name="s &gt; a"/>\n  <testcase name="b > c">\n   <skipped/>\n  </testcase>\n  <testcase name="d"><failure>no\n at x</failure></testcase>\n </testsuite>\n</testsuites>\n',
    [1, 1, 1],
  ],
  [
    "packages that pnpm, concurrently and others run",
    "packages/a test: Tests:       1 passed, 1 total\n[b] 3 specs, 0 failures\nc-1  | 4 examples, 0 failures\n2026-11-19T03:00:00.123Z OK (2 tests, 2 assertions)\n",
    [10, 0, 0],
  ],
  ["TAP of another program", "ok 1 a\n# tests 3\n# pass 3\n# fail 0\n1..5\n", null],
  ["text about tests", "All 14 tests passed, honestly.\nTests: fine\n3 passing thoughts\n", null],
])("%s", (_name, output, expected) => {
  expect(counted(output)).toEqual(expected);
});

test("files are counted where the runner says how many of their tests ran", () => {
  const counter = testCounter();
  const output =
    " ✓ |unit| a.test.js (3 tests) 4ms\n ❯ b.test.js (4 tests | 1 failed | 1 skipped) 1ms\n ↓ c.test.js (1 test)\n";
  counter.source()(`${output}      Tests  1 failed | 5 passed | 2 skipped (8)\n`);
  expect(counter.ran().names).toEqual({ tests: {}, files: { "a.test.js": 3, "b.test.js": 3 } });
});

test.each<[string, string, string[]]>([
  [
    "vitest",
    " ❯ b.test.js (2 tests | 1 failed) 1ms\n   × adds 1ms\n FAIL  b.test.js > sums > adds\n      Tests  1 failed | 1 passed (2)\n",
    ["b.test.js > sums > adds"],
  ],
  [
    "jest",
    "FAIL b.test.js\n  ● Console\n  ● sums › adds\n\n  ● sums › adds\nTests:       1 failed, 7 passed, 8 total\n",
    ["sums › adds"],
  ],
  ["pytest", "FAILED a.py::test_adds - assert 1 == 2\n=== 1 failed, 3 passed in 0.02s ===\n", ["a.py::test_adds"]],
  ["rspec", "4 examples, 1 failure\nrspec ./spec/a_spec.rb:3 # Sum adds\n", ["Sum adds"]],
])("the failures that %s lists are named although the others are not", (_runner, output, expected) => {
  const counter = testCounter();
  counter.source()(output);
  const { names } = counter.ran();
  expect([names.tests, failedNames(names)]).toEqual([{}, expected]);
});

test("names of tests in tests are known by a reporter that does not show which groups are tests", () => {
  const counter = testCounter();
  counter.source()(`▶ g\n  ✔ a (1ms)\n  ✔ b (1ms)\n✔ g (2ms)\n✔ c (1ms)\n${block("ℹ", [4, 4, 0, 0, 0, 0])}`);
  expect(Object.keys(counter.ran().names.tests)).toEqual(["a", "b", "c"]);
});

test("standard output and standard error are read separately, and an endless line costs nothing", () => {
  expect(counted("Tests:       1 pas", "4 examples, 0 failures\n", "x".repeat(1_000_000))).toEqual([4, 0, 0]);
});
