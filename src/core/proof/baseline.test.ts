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
])("a check that was %s and is %s now", (was, is, since) => {
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
  ["failing checks may start", [result("a", "fail"), result("b", "pass")], {}, null],
  ["passing checks may start", [result("a", "pass")], {}, null],
  ["no checks may start", [], { requireRedFirst: true }, null],
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
  ["an optional check is not refused", [result("a", "unknown", { optional: true }), result("b", "fail")], {}, null],
  [
    "passing checks are refused if they must fail first",
    [result("a", "pass"), result("b", "pass")],
    { requireRedFirst: true },
    { reason: "already-green", detail: "a, b" },
  ],
  ["partly failing checks do, too", [result("a", "pass"), result("b", "fail")], { requireRedFirst: true }, null],
  [
    "an optional check does not count as failing",
    [result("a", "pass"), result("b", "fail", { optional: true })],
    { requireRedFirst: true },
    { reason: "already-green", detail: "a" },
  ],
  [
    "a single check that must fail first is refused if it passes",
    [result("a", "pass"), result("b", "fail")],
    { stages: [redFirst("a"), commandStage("b")] },
    { reason: "already-green", detail: "a" },
  ],
  [
    "and not if it fails",
    [result("a", "fail"), result("b", "pass")],
    { stages: [redFirst("a"), commandStage("b")] },
    null,
  ],
  [
    "a group that must fail first is refused if all its required checks pass",
    [result("a", "pass"), result("b", "fail", { optional: true })],
    { stages: [redGroup(commandStage("a"), { ...commandStage("b"), required: false })] },
    { reason: "already-green", detail: "group" },
  ],
  [
    "and not if it partly fails",
    [result("a", "pass"), result("b", "fail")],
    { stages: [redGroup(commandStage("a"), commandStage("b"))] },
    null,
  ],
  [
    "checks that cannot be run are reported first",
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

test("commands run before any work, the promise does not; in an optional group they are optional", () => {
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
