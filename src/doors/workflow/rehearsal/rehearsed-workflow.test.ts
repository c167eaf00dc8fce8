import { expect, test } from "vitest";
import type { LoopPart, StepPart, Workflow } from "../../../core/workflow/workflow.ts";
import { agentParts, REHEARSAL_ITERATIONS, rehearsed, scenarioOf, withoutJudges } from "./rehearsed-workflow.ts";

const step = (name: string): StepPart => ({
  kind: "step",
  name,
  prompt: { text: "Do it.", command: null },
  fresh: false,
  retry: { attempts: 1, delayMs: 60_000 },
  provider: "claude",
  model: "opus",
  tools: { allowed: ["Read"], denied: ["Bash"] },
  idleTimeoutS: 60,
});

const loop = (maxIterations: number): LoopPart => ({
  kind: "loop",
  name: "work",
  prompt: { text: "Do it.", command: null },
  until: "COMPLETE",
  untilBash: null,
  maxIterations,
  freshContext: false,
  verify: {
    verification_method: "semantic",
    verification_config: { check_for: "it works", judge: { provider: "anthropic", model: "m" } },
  },
  guardrails: [],
  iterationTimeoutS: null,
  maxCostUsd: null,
  provider: "claude",
  model: "opus",
  tools: { allowed: null, denied: [] },
  idleTimeoutS: null,
});

const workflow = (...parts: Workflow["parts"]): Workflow => ({
  name: "w",
  description: "",
  triggers: [],
  provider: "claude",
  model: "opus",
  form: "steps",
  parts,
  file: "w.yaml",
});

test("a rehearsed workflow uses no real agent, never waits and loops a few times at most", () => {
  const bash = { kind: "bash", name: "b", command: "true", timeoutS: 1, retry: { attempts: 0, delayMs: 0 } } as const;
  const given = workflow(
    step("plan"),
    bash,
    { kind: "parallel", name: "both", steps: [step("a"), step("b")] },
    loop(20),
  );
  const { provider, model, parts } = rehearsed(given);
  expect({ provider, model }).toEqual({ provider: null, model: null });
  const unpaid = { provider: null, model: null, tools: { allowed: null, denied: [] } };
  expect(parts).toMatchObject([
    { name: "plan", ...unpaid, retry: { attempts: 1, delayMs: 0 } },
    bash,
    { steps: [unpaid, unpaid] },
    {
      ...unpaid,
      maxIterations: REHEARSAL_ITERATIONS,
      verify: { verification_method: "semantic", verification_config: { check_for: "it works" } },
    },
  ]);
  expect(rehearsed(workflow(loop(1))).parts).toMatchObject([{ maxIterations: 1 }]);
  expect(agentParts(given).map(({ name }) => name)).toEqual(["plan", "a", "b", "work"]);
});

test("no judge is left at any depth", () => {
  const stages = [{ method: "semantic", config: { check_for: ["a"], judge: { agent: { command: "claude" } } } }];
  expect(JSON.stringify(withoutJudges({ verification_config: { stages } }))).not.toContain("claude");
  expect(withoutJudges(null)).toBe(null);
  expect(withoutJudges(["npm test"])).toEqual(["npm test"]);
});

test("a loop claims in its second iteration, a step never does", () => {
  const text = (part: StepPart | LoopPart) =>
    (scenarioOf(part) as { iterations: unknown[] }).iterations.map((one) => JSON.stringify(one));
  expect(text(step("plan"))).toEqual([expect.not.stringContaining("promise")]);
  expect(text(loop(3))).toEqual([
    expect.not.stringContaining("promise"),
    expect.stringContaining("<promise>COMPLETE</promise>"),
  ]);
  expect(text({ ...loop(3), until: null }).join("")).not.toContain("promise");
});
