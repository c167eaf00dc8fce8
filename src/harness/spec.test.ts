import { describe, expect, test } from "vitest";
import { gitEffect } from "../../test/support/spec.ts";
import type { Settings } from "../core/schema/settings.ts";
import { mergeSettings } from "./settings.ts";
import { harnessSpec } from "./spec.ts";

const spec = (settings: Settings, prompt = "# Fix it\nmore") =>
  harnessSpec({
    settings,
    cwd: "/w",
    tracked: false,
    prompt: { text: prompt },
    promptText: prompt,
    agents: [{ command: "a", flags: ["--model opus", "-x "] }],
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

test("the defaults of the decisions", () => {
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
  expect(made.checks).toEqual([{ name: "npm test", command: "npm  test", timeoutMs: 7_000 }]);
  expect(made.guardrails.map((g) => [g.failAction, g.timeoutMs])).toEqual([
    ["REPLACE", 2_000],
    ["APPEND", 7_000],
  ]);
  expect(made.effects).toEqual([gitEffect("commit", "guarded")]);
  expect(made.limits).toMatchObject({ maxIterations: 4, maxMs: 60_000, stuckAfter: null, maxCostUsd: 2 });
  expect(made.claim).toMatchObject({ promise: "READY", scope: "iteration" });
});

test("a flag with its value in one entry is two arguments", () =>
  expect(spec({}).agents[0]?.flags).toEqual(["--model", "opus", "-x"]));

test("a long title is cut", () => expect(spec({}, "x".repeat(200)).title).toHaveLength(80));
