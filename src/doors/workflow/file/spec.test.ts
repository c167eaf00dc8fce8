import { expect, test } from "vitest";
import { someAgent } from "../../../../test/support/spec.ts";
import { aLoop, aStep, aWorkflow } from "../../../../test/support/workflow-runs.ts";
import { DEFAULT_TURN_TIMEOUTS } from "../../../core/loop/spec.ts";
import { leavesOf, NO_PROOF } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import type { LoopPart, StepPart } from "../../../core/workflow/workflow.ts";
import { loopProof } from "./proof.ts";
import { loopSpec, stepSpec } from "./spec.ts";

const REQUEST = {
  run: "r1",
  workflow: aWorkflow([]),
  settings: {},
  cwd: "/repo",
  tracked: true,
  agents: [someAgent("claude")],
  sessions: true,
  values: { USER_MESSAGE: "mend\nit" },
};
const SESSION = { id: "s-1", usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 0, costUsd: 0 } };

const stepOf = (part: Partial<StepPart> = {}, more: object = {}) =>
  stepSpec({ ...REQUEST, part: aStep("plan", "Plan $USER_MESSAGE", part), session: SESSION, ...more });

const loopOf = async (part: Partial<LoopPart> = {}, settings: Settings = {}, more: object = {}) => {
  const whole = aLoop("loop", "Go", part);
  const proof = await loopProof({ part: whole, settings, message: "mend it", variables: { USER_MESSAGE: "mend it" } });
  return loopSpec({ ...REQUEST, settings, part: whole, proof, ...more });
};

test("a step is one turn in the session of earlier steps, with nothing to claim or prove", () => {
  const spec = stepOf();
  expect(spec).toMatchObject({
    door: "workflow",
    title: "test plan: mend it",
    run: { run: "r1", workflow: "test", part: "plan" },
    part: null,
    prompt: { template: "Plan $USER_MESSAGE", values: { USER_MESSAGE: "mend\nit" } },
    ends: "turn",
    context: "continue",
    session: SESSION,
    completionInstructions: false,
    proof: { ...NO_PROOF, zeroWorkGuard: false },
    effects: [],
    limits: { maxFailures: 1, stuckAfter: null, maxIterations: 10 },
    patience: DEFAULT_TURN_TIMEOUTS,
  });
});

test.each([
  ["with a fresh context it has no session", { fresh: true }, {}, { session: null, context: "continue" }],
  ["nor if its agent cannot resume one", {}, { sessions: false }, { session: null, context: "fresh" }],
  ["its own idle timeout", { idleTimeoutS: 5 }, {}, { patience: { ...DEFAULT_TURN_TIMEOUTS, idleTimeoutMs: 5_000 } }],
])("a step: %s", (_name, part, more, spec) => {
  expect(stepOf(part, more)).toMatchObject(spec);
});

test.each<[string, Partial<LoopPart>, Settings, object]>([
  [
    "the signal alone: a claim, strictly read",
    {},
    {},
    { ends: "claim", context: "continue", claim: { promise: "COMPLETE", bareSignal: true, scope: "last-message" } },
  ],
  ["fresh context", { freshContext: true }, {}, { context: "fresh", session: null }],
  ["its own checks prove the claim", { verify: ["make"] }, {}, { ends: "claim", claim: { scope: "iteration" } }],
  ["the settings' checks apply if it has none", {}, { verify: ["make"] }, { claim: { scope: "iteration" } }],
  ["unless it turns them off", { verify: [] }, { verify: ["make"] }, { claim: { scope: "last-message" } }],
  ["a command decides", { until: null, untilBash: "make" }, {}, { ends: "checks", completionInstructions: false }],
  ["a command, or the signal", { untilBash: "make" }, {}, { ends: "checks", completionInstructions: true }],
  [
    "limits",
    { maxIterations: 7, maxCostUsd: 2, iterationTimeoutS: 9 },
    { maximumIterations: 3, stuckAfter: 4, maxCostUsd: 9 },
    {
      limits: { maxIterations: 7, maxCostUsd: 2, maxFailures: 1, stuckAfter: 4 },
      patience: { iterationTimeoutMs: 9_000 },
    },
  ],
  [
    "guardrails of both",
    { guardrails: [{ command: "lint" }] },
    { guardrails: [{ command: "build" }], checkTimeout: 7 },
    { guardrails: [{ command: "build" }, { command: "lint", timeoutMs: 7_000 }] },
  ],
])("a loop: %s", async (_name, part, settings, spec) => {
  expect(await loopOf(part, settings)).toMatchObject(spec);
});

test("the command that runs after every iteration is the first check, and the others wait for it", async () => {
  const { proof } = await loopOf({ untilBash: "done", verify: ["make", 'grep "$USER_MESSAGE" x'] });
  expect(proof.stages).toHaveLength(1);
  expect(proof.stages[0]).toMatchObject({ method: "multi_stage", requireAll: true });
  expect(leavesOf(proof.stages)).toMatchObject([
    { command: "done", env: {} },
    { command: "make", env: {} },
    { command: 'grep "$USER_MESSAGE" x', env: { USER_MESSAGE: "mend it" } },
  ]);
});

test("criteria of any method", async () => {
  const { proof } = await loopOf({
    verify: { verification_method: "external", verification_config: { command: "make test" }, nonce: true },
  });
  expect(proof).toMatchObject({ nonce: true, stages: [{ method: "external", command: "make test" }] });
});
