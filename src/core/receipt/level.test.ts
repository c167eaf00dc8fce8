import { expect, test } from "vitest";
import { someReceipt } from "../../../test/support/receipts.ts";
import { provedBy, someGuardrail, someSpec } from "../../../test/support/spec.ts";
import type { CheckResult } from "../loop/events.ts";
import type { Level } from "../proof/level.ts";
import { earlierReceipt } from "../schema/receipt.ts";

const check = (more: Partial<CheckResult> = {}): CheckResult => ({
  name: "t",
  command: "t",
  is: "pass",
  code: 0,
  reason: "exit code 0",
  excerpt: "",
  log: null,
  ms: 1,
  ...more,
});
const finding = { criterion: "c", is: "proved", quote: "q", reason: "r" } as const;

/** A receipt of the previous version. */
async function earlier(checks: CheckResult[], { guarded = false, label = "" } = {}): Promise<object> {
  const spec = someSpec({ proof: provedBy(["t"]), guardrails: guarded ? [someGuardrail()] : [] });
  const { completedAt, proof: _proof, weak: _weak, ...draft } = await someReceipt({ spec, verdict: { checks } });
  const labels = label === "" ? [] : label.split(", ");
  return { ...draft, schemaVersion: 1, verifiedAt: completedAt, labels, digest: `sha256:${"0".repeat(64)}` };
}

test.each<[string, CheckResult[], { guarded?: boolean; label?: string }, Level]>([
  ["a fixed check", [check({ since: "fixed" }), check({ since: "already passing" })], {}, "verified"],
  ["checks that passed before", [check({ since: "already passing" })], {}, "still-green"],
  ["checks without a baseline", [check()], {}, "still-green"],
  ["a fixed optional check", [check({ since: "fixed", optional: true })], { label: "promise only" }, "promise-only"],
  ["a judge", [check({ name: "judge", command: "semantic", findings: [finding] })], {}, "judged"],
  [
    "a judge that did not answer",
    [check({ command: "semantic", findings: [finding], label: "judge unavailable" })],
    { label: "judge unavailable" },
    "promise-only",
  ],
  ["guardrails alone", [], { guarded: true }, "still-green"],
  ["nothing", [], { label: "promise only" }, "promise-only"],
])("an earlier receipt gets the level that it proves: %s", async (_name, checks, how, level) => {
  const { completedAt, proof, weak, labels } = earlierReceipt.parse(await earlier(checks, how));
  expect({ completedAt, proof, weak }).toEqual({ completedAt: "1970-01-01T00:00:05.000Z", proof: level, weak: [] });
  // The level already says that.
  expect(labels).not.toContain("promise only");
});
