import { describe, expect, test } from "vitest";
import { type Completion, completion } from "../schema/criteria.ts";
import { documentSpelling } from "../schema/spelling.ts";
import type { ProofContext } from "./methods/method.ts";
import { leavesOf } from "./proof.ts";
import { resolveProof } from "./resolve.ts";

const FIELDS = { title: "Greet", task_id: "TASK-1", outcome: "It works" };
const proofOf = (given: Completion, context: Partial<ProofContext> = {}) =>
  resolveProof(completion.parse(documentSpelling(given)), {
    verify: [],
    checkTimeoutS: undefined,
    fields: FIELDS,
    ...context,
  });
const leaves = (given: Completion, context?: Partial<ProofContext>) => leavesOf(proofOf(given, context).stages);
const semantic = (check_for: string | string[], more: Completion = {}): Completion => ({
  ...more,
  verification_method: "semantic",
  verification_config: { check_for },
});
const external = (command: string): Completion => ({ verification_config: { command } });

describe("fields of the task", () => {
  const acceptance_criteria = ["It greets", { text: "It ends", check: "npm test" }, "It says {{name}}"];

  test.each<[string, Completion, string[]]>([
    ["in a text", semantic("{{title}} ({{ task_id }}) is done"), ["Greet (TASK-1) is done"]],
    ["all criteria", semantic("{{acceptance_criteria}}", { acceptance_criteria: ["a", "b"] }), ["a", "b"]],
    ["those without a check", { acceptance_criteria }, ["It greets", "It says {{name}}"]],
    [
      "the same if a judge is requested",
      semantic("{{acceptance_criteria}}", { acceptance_criteria }),
      ["It greets", "It says {{name}}"],
    ],
    [
      "all if each has a check",
      semantic("{{acceptance_criteria}}", { acceptance_criteria: [{ text: "a", check: "b" }] }),
      ["a"],
    ],
    ["within a text", semantic("holds: {{acceptance_criteria}}", { acceptance_criteria: ["a", "b"] }), ["holds: a; b"]],
  ])("are filled in: %s", (_name, given, checkFor) => {
    expect(leaves(given).find(({ method }) => method === "semantic")).toMatchObject({ checkFor });
  });

  test("that are unknown are refused", () => {
    expect(() => proofOf(semantic("{{titel}}"))).toThrow("there is no field {{titel}}");
    expect(() => proofOf(semantic("{{constructor}}"))).toThrow("there is no field {{constructor}}");
  });

  test.each([
    "echo {{title}}",
    "echo {{ outcome }}",
    "test {{acceptance_criteria}}",
    "echo {{description}}",
  ])("never become part of a command: %s", (command) => {
    for (const _again of [1, 2]) {
      expect(() => proofOf(external(command))).toThrow(/a command cannot contain \{\{\w+\}\}/);
      expect(() => proofOf({ acceptance_criteria: [{ text: "x", check: command }] })).toThrow(/cannot contain/);
    }
  });

  test("are in the environment of commands", () => {
    const env = { RALPH_TITLE: "Greet", RALPH_TASK_ID: "TASK-1", RALPH_ACCEPTANCE_CRITERIA: "a\nb" };
    expect(leaves({ ...external("x"), acceptance_criteria: ["a", { text: "b", check: "c" }] })[0]).toMatchObject({
      env,
    });
  });

  test("braces of the command itself stay", () => {
    const command = "docker ps --format '{{.Names}} {{json .Ports}}'";
    expect(leaves(external(command))).toMatchObject([{ command }]);
  });
});

test.each<[string, Completion, object[]]>([
  ["a command alone", external("x"), [{ method: "external", name: "x", timeoutMs: 300_000 }]],
  ["a timeout beside the config", { ...external("x"), timeout: 2 }, [{ timeoutMs: 2_000 }]],
  ["the config's own", { verification_config: { command: "x", timeout: 1 }, timeout: 2 }, [{ timeoutMs: 1_000 }]],
  [
    "a plugin with a timeout",
    { verification_method: "plugin:mine", verification_config: { timeout: 5 }, timeout: 2 },
    [{ method: "plugin", plugin: "mine", config: { timeout: 5 }, timeoutMs: 2_000 }],
  ],
  [
    "a timeout for every stage",
    { verification_config: { stages: [{ config: { command: "x" } }, { method: "plugin:p", timeout: 1 }] }, timeout: 2 },
    [
      { name: "unnamed", timeoutMs: 2_000 },
      { name: "unnamed (2)", timeoutMs: 1_000 },
    ],
  ],
  [
    "stages of stages, by their path",
    {
      verification_config: {
        stages: [{ name: "qa", config: { stages: [{ name: "unit", config: { command: "x" } }] } }],
      },
    },
    [{ name: "qa/unit" }],
  ],
])("%s", (_name, given, stages) => {
  const found = leaves(given);
  expect(found).toHaveLength(stages.length);
  expect(found).toMatchObject(stages);
});

test("commands beside the criteria run even if promises are believed", () => {
  const given = { ...external("x"), verify_promises: false, acceptance_criteria: [{ text: "a", check: "b" }] };
  expect(leaves(given, { verify: ["npm test"] })).toMatchObject([{ command: "npm test" }]);
});

test.each(["../elsewhere", "/etc", "a/../../b"])("a folder outside is refused: %s", (working_dir) => {
  expect(() => proofOf({ verification_config: { command: "x", working_dir } })).toThrow(
    "leads out of the loop's folder",
  );
});

test("a template that was not filled in is a bug, not a stage without a method", () => {
  expect(() => proofOf({ verification_template: "lint" })).toThrow("was not filled in");
});

test("a group's cache setting applies to its stages, unless they set their own", () => {
  const stages = [
    { method: "external", config: { command: "a" } },
    { method: "external", config: { command: "b" }, cache: true },
  ];
  const group = { method: "multi_stage", config: { stages }, cache: false };
  const given = leaves({ verification_method: "multi_stage", verification_config: { stages: [group] } });
  expect(given.map(({ cache }) => cache)).toEqual([false, true]);
});

test.each<[string, Completion]>([
  ["the criteria", { ...external("x"), require_red_first: true, baseline: false }],
  [
    "a stage",
    { verification_config: { stages: [{ config: { command: "x" }, require_red_first: true }] }, baseline: false },
  ],
  [
    "a group",
    {
      verification_config: {
        stages: [{ config: { stages: [{ config: { command: "x" } }] }, require_red_first: true }],
      },
      baseline: false,
    },
  ],
])("require_red_first of %s without a baseline is not silently ignored", (_name, given) => {
  expect(() => proofOf(given)).toThrow("require_red_first needs the baseline");
});

test("a judge over HTTP without a model must name one of its provider", () => {
  const given: Completion = { acceptance_criteria: ["a"], judge: { provider: "openai" } };
  expect(() => proofOf(given)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('"provider": "openai"') }),
  );
});
