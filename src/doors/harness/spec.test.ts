import { describe, expect, test } from "vitest";
import { gitEffect, provedBy } from "../../../test/support/spec.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { settingsProof } from "../../core/proof/from-settings.ts";
import { NO_PROOF } from "../../core/proof/proof.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { harnessSpec } from "./spec.ts";

const spec = (settings: Settings, prompt = "# Fix it\nmore", proof = NO_PROOF) =>
  harnessSpec({
    settings,
    cwd: "/w",
    tracked: false,
    prompt: { text: prompt },
    promptText: prompt,
    agents: [{ command: "a", flags: ["--model opus", "-x "] }],
    proof,
  });

describe("merging", () => {
  test("later layers win, objects merge, arrays replace", () => {
    const base: Settings = {
      maximumIterations: 3,
      agent: { command: "claude", flags: ["a", "b"] },
      verify: ["x", "y"],
    };
    expect(mergeSettings(base, { agent: { command: "codex" }, verify: ["z"] })).toEqual({
      maximumIterations: 3,
      agent: { command: "codex", flags: ["a", "b"] },
      verify: ["z"],
    });
    expect(base.agent?.command).toBe("claude");
  });
});

test("the default decisions", () => {
  expect(spec({})).toMatchObject({
    title: "Fix it",
    context: "fresh",
    completionInstructions: true,
    outputTruncateChars: 5_000,
    limits: { maxIterations: 10, maxCostUsd: null, maxWaitMs: 21_600_000, maxFailures: 3 },
    patience: { iterationTimeoutMs: 3_600_000, idleTimeoutMs: 1_200_000 },
    claim: { promise: "DONE", tags: ["response", "promise"], first: true, scope: "last-message" },
  });
});

test("settings reach the loop", () => {
  const made = spec({
    maximumIterations: 4,
    completionResponse: "READY",
    verify: ["npm  test"],
    checkTimeout: 7,
    guardrails: [{ command: "lint", failAction: "REPLACE", timeout: 2 }, { command: "types" }],
    scm: { tasks: ["commit"] },
    timeout: 60,
    stuckAfter: 0,
    maxCostUsd: 2,
  });
  expect(made.guardrails.map((g) => [g.failAction, g.timeoutMs])).toEqual([
    ["REPLACE", 2_000],
    ["APPEND", 7_000],
  ]);
  expect(made.effects).toEqual([gitEffect("commit", "guarded")]);
  expect(made.limits).toMatchObject({ maxIterations: 4, maxMs: 60_000, stuckAfter: null, maxCostUsd: 2 });
  expect(made.claim.promise).toBe("READY");
});

test("a flag with its value in one entry is two arguments", () =>
  expect(spec({}).agents[0]?.flags).toEqual(["--model", "opus", "-x"]));

test("a long title is cut", () => expect(spec({}, "x".repeat(200)).title).toHaveLength(80));

test("the weaker the proof, the stricter the claim", () => {
  expect(spec({}).claim.scope).toBe("last-message");
  expect(spec({}, "x", provedBy(["npm test"])).claim.scope).toBe("iteration");
});

test("verify commands are stages that must exit 0", async () => {
  const { stages } = await settingsProof({ verify: ["npm  test", "npm  test"], checkTimeout: 7 });
  expect(stages).toMatchObject([
    { name: "npm test", method: "external", command: "npm  test", timeoutMs: 7_000, required: true },
    { name: "npm test (2)" },
  ]);
});
