import { expect, test } from "vitest";
import type { CheckResult } from "../loop/events.ts";
import { decidedByNewTests } from "./own-tests.ts";

const check = (command: string, ran?: number): CheckResult => ({
  name: command,
  command,
  is: "pass",
  code: 0,
  reason: "",
  excerpt: "",
  log: null,
  ms: 1,
  ...(ran === undefined ? {} : { tests: { ran, passed: ran, failed: 0, skipped: 0 } }),
});

test.each<[string, CheckResult[], { old: string[]; added: string[] }, boolean]>([
  ["only new tests", [check("node --test", 2)], { old: [], added: ["test/a.test.js"] }, true],
  ["a runner that prints no number", [check("go test ./...")], { old: [], added: ["a_test.go"] }, true],
  ["an existing one", [check("node --test", 2)], { old: ["test/b.test.js"], added: ["test/a.test.js"] }, false],
  [
    "the new one is named",
    [check("pytest tests/test_a.py::test_x")],
    { old: ["tests/test_b.py"], added: ["tests/test_a.py"] },
    true,
  ],
  [
    "the old one is named",
    [check("pytest tests/test_b.py")],
    { old: ["tests/test_b.py"], added: ["tests/test_a.py"] },
    false,
  ],
  [
    "a folder of new ones",
    [check("mocha './new/**/*.js'")],
    { old: ["test/b.test.js"], added: ["new/a.test.js"] },
    true,
  ],
  [
    "another check failed, too",
    [check("node --test", 1), check("test -f x")],
    { old: [], added: ["a.test.js"] },
    false,
  ],
  ["no tests decide it", [check("test -f done.txt")], { old: [], added: ["a.test.js"] }, false],
  ["nothing failed", [], { old: [], added: ["a.test.js"] }, false],
])("%s", (_name, checks, { old, added }, expected) => {
  expect(decidedByNewTests(checks, { tests: [...old, ...added], added: new Set(added) })).toBe(expected);
});
