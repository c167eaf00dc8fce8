import { expect, test } from "vitest";
import { provedBy } from "../../../test/support/spec.ts";
import type { Attribution, CheckResult } from "../loop/events.ts";
import { attribution, baselineState } from "./baseline.ts";
import { commandStage } from "./methods/external.ts";
import { baselineLeaves, needsBaseline } from "./methods.ts";
import { PLAIN_STAGE, type Proof, type Stage } from "./proof.ts";

type Is = CheckResult["is"];

test.each<[Is | undefined, Is, Attribution | null]>([
  ["fail", "pass", "fixed"],
  ["pass", "fail", "regressed"],
  ["fail", "fail", "still failing"],
  ["pass", "pass", "already passing"],
  ["unknown", "pass", null],
  ["pass", "unknown", null],
  ["fail", "unknown", null],
  [undefined, "pass", null],
  [undefined, "fail", null],
])("what was %s and is %s now", (was, is, since) => {
  expect(attribution(was, is)).toBe(since);
});

const result = (name: string, is: Is, more: Partial<CheckResult> = {}): CheckResult => {
  return { name, command: name, is, code: 0, reason: `it is ${is}`, excerpt: "", log: null, ms: 0, ...more };
};
const redFirst = (name: string): Stage => ({ ...commandStage(name), requireRedFirst: true });
const redGroup = (...stages: Stage[]): Stage => ({
  ...PLAIN_STAGE,
  name: "group",
  method: "multi_stage",
  stages,
  requireAll: true,
  requireRedFirst: true,
});

test.each<[string, CheckResult[], Partial<Proof>, object | null]>([
  ["a gate that is red may begin", [result("a", "fail"), result("b", "pass")], {}, null],
  ["one that is green may begin", [result("a", "pass")], {}, null],
  ["one without checks may begin", [], { requireRedFirst: true }, null],
  [
    "a check that cannot be run is refused",
    [result("a", "unknown"), result("b", "fail")],
    {},
    { reason: "check-missing", detail: "a: it is unknown" },
  ],
  [
    "all of those are named",
    [result("a", "unknown"), result("b", "unknown")],
    {},
    { reason: "check-missing", detail: "a: it is unknown; b: it is unknown" },
  ],
  ["one that only warns is not refused", [result("a", "unknown", { optional: true }), result("b", "fail")], {}, null],
  [
    "a green gate is refused where it has to be red",
    [result("a", "pass"), result("b", "pass")],
    { requireRedFirst: true },
    { reason: "already-green", detail: "a, b" },
  ],
  ["a gate that is red in part is red", [result("a", "pass"), result("b", "fail")], { requireRedFirst: true }, null],
  [
    "what only warns makes no gate red",
    [result("a", "pass"), result("b", "fail", { optional: true })],
    { requireRedFirst: true },
    { reason: "already-green", detail: "a" },
  ],
  [
    "a single check that has to be red is refused when it is green",
    [result("a", "pass"), result("b", "fail")],
    { stages: [redFirst("a"), commandStage("b")] },
    { reason: "already-green", detail: "a" },
  ],
  [
    "and not when it is red",
    [result("a", "fail"), result("b", "pass")],
    { stages: [redFirst("a"), commandStage("b")] },
    null,
  ],
  [
    "a group that has to be red is refused when all that it needs is green",
    [result("a", "pass"), result("b", "fail", { optional: true })],
    { stages: [redGroup(commandStage("a"), { ...commandStage("b"), required: false })] },
    { reason: "already-green", detail: "group" },
  ],
  [
    "and not when it is red in part",
    [result("a", "pass"), result("b", "fail")],
    { stages: [redGroup(commandStage("a"), commandStage("b"))] },
    null,
  ],
  [
    "what cannot be run is told first",
    [result("a", "pass"), result("b", "unknown")],
    { stages: [redFirst("a"), commandStage("b")] },
    { reason: "check-missing", detail: "b: it is unknown" },
  ],
])("%s", (_name, results, proof, refused) => {
  const state = baselineState({ head: "h", tree: "t", results }, provedBy(["a", "b"], proof));
  expect(state.refused).toEqual(refused);
  expect(state.was).toEqual(Object.fromEntries(results.map(({ name, is }) => [name, is])));
});

const inGroup = (required: boolean): Stage => ({
  ...PLAIN_STAGE,
  name: "group",
  method: "multi_stage",
  requireAll: true,
  required,
  stages: [commandStage("a"), { ...PLAIN_STAGE, name: "promise", method: "string_match" }],
});

test("commands run before any work, the promise does not; in a group that only warns they only warn", () => {
  const leaves = (required: boolean) => baselineLeaves(provedBy([], { stages: [inGroup(required)] }));
  expect(leaves(true).map(({ name, required }) => [name, required])).toEqual([["a", true]]);
  expect(leaves(false).map(({ name, required }) => [name, required])).toEqual([["a", false]]);
});

test.each<[string, Partial<Proof>, boolean]>([
  ["commands", {}, true],
  ["commands without a baseline", { baseline: false }, false],
  ["nothing", { stages: [] }, false],
  ["a rule about commits", { stages: [], rules: ["new-commit"] }, true],
])("%s: needed %s", (_name, proof, needed) => {
  expect(needsBaseline(provedBy(["a"], proof))).toBe(needed);
});
