import { expect, test } from "vitest";
import type { CheckResult } from "../core/loop/events.ts";
import { verdictOf } from "./verdict.ts";

const is = (...results: CheckResult["is"][]): CheckResult[] =>
  results.map((result, i) => ({
    name: `c${i}`,
    command: "c",
    is: result,
    code: 0,
    reason: result,
    excerpt: "",
    log: null,
    ms: 0,
  }));

test.each<[string, CheckResult[], string[], boolean, object]>([
  ["passes when every check does", is("pass", "pass"), [], false, { is: "pass", reason: "2 of 2 checks pass" }],
  ["fails by the failing ones", is("pass", "fail", "unknown"), [], false, { is: "fail", reason: "c1: fail" }],
  ["never takes unknown for a pass", is("pass", "unknown"), [], false, { is: "unknown", reason: "c1: unknown" }],
  ["vetoes tampering whatever the checks say", is("pass"), ["a.sh"], false, { is: "fail", tampered: ["a.sh"] }],
  ["labels a bare promise", [], [], false, { is: "pass", label: "promise only" }],
  ["needs no label where guardrails pass", [], [], true, { is: "pass" }],
])("%s", (_name, checks, tampered, guarded, verdict) => {
  expect(verdictOf(checks, tampered, guarded)).toMatchObject(verdict);
});
