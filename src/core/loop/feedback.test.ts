import { expect, test } from "vitest";
import type { CheckResult } from "./events.ts";
import { feedbackOf } from "./feedback.ts";
import type { LoopSpec } from "./spec.ts";
import type { Turn } from "./state.ts";

const check = (is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => ({
  name: "npm test",
  command: "npm test",
  is,
  code: 1,
  reason: "exit code 1",
  excerpt: "1 failed",
  log: "/logs/a.log",
  ms: 5,
  ...more,
});
const spec = {
  guardrails: [
    { name: "lint", command: "lint", timeoutMs: 1, failAction: "PREPEND" },
    { name: "types", command: "types", timeoutMs: 1, failAction: "APPEND" },
  ],
} as unknown as LoopSpec;
const turn = (more: Partial<Turn>): Turn => ({
  epoch: 1,
  runToken: "t",
  log: null,
  ended: true,
  claim: null,
  doubts: [],
  blocked: null,
  failed: null,
  refused: null,
  tools: null,
  looked: true,
  worked: true,
  guards: [],
  effectsDone: 0,
  verdict: null,
  judged: 0,
  ...more,
});
const claim = { text: "DONE", tag: "promise", start: 0, end: 1, quote: "<promise>DONE</promise>" } as const;
const doubt = { is: "guarded", rule: "negated", start: 0, end: 1, quote: "not <promise>DONE</promise>" } as const;

test("says nothing about an iteration without a claim", () => expect(feedbackOf(turn({}), spec, 1)).toEqual([]));

test("names command, exit code, log and output of each failing guardrail, each by its own action", () => {
  const items = feedbackOf(
    turn({ guards: [check("fail", { command: "lint" }), check("pass"), check("unknown")] }),
    spec,
    3,
  );
  expect(items.map((item) => item.action)).toEqual(["PREPEND", "APPEND"]);
  expect(items[0]?.text).toBe(
    "Guardrail failed after iteration 3.\nCommand: lint\nResult: exit code 1\nFull output: /logs/a.log\nOutput:\n1 failed",
  );
});

test("names what a claim failed on, and only that", () => {
  const verdict = {
    is: "fail",
    reason: "npm test: exit code 1",
    checks: [check("pass", { command: "ok" }), check("fail")],
  } as const;
  const [item, ...rest] = feedbackOf(turn({ claim, verdict }), spec, 2);
  expect(rest).toEqual([]);
  expect(item?.text).toContain("You claimed completion (<promise>DONE</promise>) in iteration 2");
  expect(item?.text).toContain("Command: npm test");
  expect(item?.text).not.toContain("Command: ok");
});

test("names tampered files", () => {
  const verdict = { is: "fail", reason: "tampered", checks: [], tampered: ["check.sh"] } as const;
  expect(feedbackOf(turn({ claim, verdict }), spec, 2)[0]?.text).toContain(
    "check.sh decides completion and was changed",
  );
});

test.each([
  [
    "quotes the words against a claim",
    { claim, doubts: [{ ...doubt, is: "contradicted" as const }] },
    "your own words",
  ],
  ["tells a mention from a claim", { doubts: [doubt] }, "without claiming completion"],
  ["tells how the agent ended", { failed: { kind: "timed-out" as const, detail: "time limit" } }, "timed-out"],
])("%s", (_name, more, words) => expect(feedbackOf(turn(more), spec, 2)[0]?.text).toContain(words));
