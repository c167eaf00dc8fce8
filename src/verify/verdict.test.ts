import { expect, test } from "vitest";
import type { CheckResult, Tamper } from "../core/loop/events.ts";
import { NO_PROOF } from "../core/proof/proof.ts";
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

const CHANGED = { path: "a.sh", change: "changed" };

test.each<[string, CheckResult[], Tamper[], boolean, object]>([
  ["passes when every check does", is("pass", "pass"), [], false, { is: "pass", reason: "2 of 2 checks pass" }],
  ["fails with the failing ones", is("pass", "fail", "unknown"), [], false, { is: "fail", reason: "c1: fail" }],
  ["never takes unknown for a pass", is("pass", "unknown"), [], false, { is: "unknown", reason: "c1: unknown" }],
  ["vetoes tampering for any results", is("pass"), [CHANGED], false, { is: "fail", tampered: [CHANGED] }],
  ["names a bare promise", [], [], false, { is: "pass", proof: "promise-only" }],
  ["is still green if only guardrails pass", [], [], true, { is: "pass", proof: "still-green" }],
  ["is still green without a baseline", is("pass"), [], false, { is: "pass", proof: "still-green" }],
])("%s", (_name, checks, tampered, guarded, verdict) => {
  expect(verdictOf(NO_PROOF, { checks, tampered, broken: [], changed: [], guarded, claimed: true })).toMatchObject(
    verdict,
  );
});

test.each<[CheckResult["is"], object]>([
  [
    "pass",
    {
      is: "unknown",
      reason: "files changed while the checks ran: src/a.js; a check that changes files should write them elsewhere",
    },
  ],
  ["fail", { is: "fail", reason: "c0: fail" }],
])("files that change while the checks run: %s", (result, verdict) => {
  const how = { tampered: [], broken: [], changed: ["src/a.js"], guarded: false, claimed: true };
  expect(verdictOf(NO_PROOF, { checks: is(result), ...how })).toMatchObject(verdict);
});

test("says that there was no promise if checks alone decide", () => {
  const how = { tampered: [], broken: [], changed: [], guarded: false, claimed: false };
  const { reason } = verdictOf(NO_PROOF, { checks: is("pass"), ...how });
  expect(reason).toBe("1 of 1 checks pass; no promise was given, and none was needed");
});
