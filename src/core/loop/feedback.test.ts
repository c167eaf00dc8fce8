import { expect, test } from "vitest";
import { someGuardrail, someSpec } from "../../../test/support/spec.ts";
import type { CheckResult } from "./events.ts";
import { feedbackOf } from "./feedback.ts";
import { START, type Turn } from "./state.ts";

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
const spec = someSpec({
  guardrails: [
    someGuardrail({ name: "lint", command: "lint", failAction: "PREPEND" }),
    someGuardrail({ name: "types", command: "types" }),
  ],
});
const feedbackAfter = (n: number, turn: Turn) => feedbackOf({ ...START, spec, n, turn }, turn, spec);
const turn = (more: Partial<Turn>): Turn => ({
  epoch: 1,
  runToken: "t",
  log: null,
  nonce: null,
  ended: true,
  claim: null,
  doubts: [],
  blocked: null,
  failed: null,
  refused: null,
  tools: null,
  looked: true,
  tree: null,
  worked: true,
  guards: [],
  effectsDone: 0,
  verdict: null,
  judged: 0,
  ...more,
});
const claim = { text: "DONE", tag: "promise", start: 0, end: 1, quote: "<promise>DONE</promise>" } as const;
const doubt = { is: "guarded", rule: "negated", start: 0, end: 1, quote: "not <promise>DONE</promise>" } as const;

test("says nothing about an iteration without a claim", () => expect(feedbackAfter(1, turn({}))).toEqual([]));

test("names command, exit code, log and output of each failing guardrail, each by its own action", () => {
  const items = feedbackAfter(
    3,
    turn({ guards: [check("fail", { command: "lint" }), check("pass"), check("unknown")] }),
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
  const [item, ...rest] = feedbackAfter(2, turn({ claim, verdict }));
  expect(rest).toEqual([]);
  expect(item?.text).toContain("You claimed completion (<promise>DONE</promise>) in iteration 2");
  expect(item?.text).toContain("Command: npm test");
  expect(item?.text).not.toContain("Command: ok");
});

test("names tampered files", () => {
  const verdict = {
    is: "fail",
    reason: "tampered",
    checks: [],
    tampered: [{ path: "check.sh", change: "changed" }],
  } as const;
  expect(feedbackAfter(2, turn({ claim, verdict }))[0]?.text).toContain("check.sh decides completion: changed");
});

test.each([
  [
    "quotes the words against a claim",
    { claim, doubts: [{ ...doubt, is: "contradicted" as const }] },
    "your own words",
  ],
  ["tells a mention from a claim", { doubts: [doubt] }, "without claiming completion"],
  ["tells how the agent ended", { failed: { kind: "timed-out" as const, detail: "time limit" } }, "timed-out"],
])("%s", (_name, more, words) => expect(feedbackAfter(2, turn(more))[0]?.text).toContain(words));
