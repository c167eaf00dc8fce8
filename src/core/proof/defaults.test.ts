import { describe, expect, test } from "vitest";
import type { CompletionCriteria, TaskCompletionSpec } from "../schema/criteria.ts";
import type { RalphSettings } from "../schema/ralph.ts";
import { AGENT_ROLES, type AgentRole } from "../task/role.ts";
import { type ChosenCriteria, criteriaFor } from "./defaults.ts";
import { isBacked } from "./methods.ts";
import { leavesOf, type Rule } from "./proof.ts";
import { resolveProof } from "./resolve.ts";

const SPEC: TaskCompletionSpec = { outcome: "It works", acceptance_criteria: ["It greets", "It says goodbye"] };
const EXTERNAL = { verification_method: "external", verification_config: { command: "npm test" } };
const ACCEPTANCE = { check_for: "{{acceptance_criteria}}" };

interface Given {
  spec?: TaskCompletionSpec | null;
  agent?: AgentRole;
  settings?: RalphSettings;
  commands?: string[];
}
const chosen = ({ spec = SPEC, agent = "coder", settings = {}, commands = [] }: Given = {}) =>
  criteriaFor({ spec, agent, title: "Greet", settings, commands });

test.each<[AgentRole, number, string]>([
  ["coder", 15, "IMPLEMENTATION_COMPLETE"],
  ["reviewer", 5, "REVIEW_PASSED"],
  ["tester", 10, "TESTS_PASSED"],
  ["qa", 5, "QA_PASSED"],
])("a %s has at most %i iterations and promises %s", (agent, max_iterations, promise) => {
  const { criteria } = chosen({ agent });
  expect(criteria).toEqual({
    promise,
    max_iterations,
    description: `Complete ${agent} stage for: Greet`,
    verification_method: "semantic",
    verification_config: ACCEPTANCE,
    outcome: "It works",
    acceptance_criteria: SPEC.acceptance_criteria,
  });
});

test.each<[string, Given, Partial<CompletionCriteria>]>([
  ["the task's iterations", { spec: { ...SPEC, coder: { promise: "X", max_iterations: 3 } } }, { max_iterations: 3 }],
  [
    "the agent's in the settings",
    { spec: { ...SPEC, coder: { promise: "X", max_iterations: null } }, settings: { coder: { max_iterations: 4 } } },
    { max_iterations: 4, promise: "X" },
  ],
  ["the common ones in the settings", { settings: { default_max_iterations: 6 } }, { max_iterations: 6 }],
  ["the settings' promise", { settings: { coder: { completion_promise: "READY" } } }, { promise: "READY" }],
  [
    "the task's promise before it",
    { spec: { ...SPEC, coder: { promise: "X" } }, settings: { coder: { completion_promise: "READY" } } },
    { promise: "X" },
  ],
  [
    "the task's description",
    { spec: { ...SPEC, coder: { promise: "X", description: "Done" } } },
    { description: "Done" },
  ],
  ["a believed promise", { settings: { verify_promises: false } }, { verify_promises: false }],
  [
    "but not if the task says otherwise",
    { spec: { ...SPEC, coder: { promise: "X", verify_promises: true } }, settings: { verify_promises: false } },
    { verify_promises: true },
  ],
  [
    "everything else that the task sets",
    { spec: { ...SPEC, coder: { promise: "X", protect: ["a"], nonce: true } } },
    { protect: ["a"], nonce: true },
  ],
])("which value counts: %s", (_name, given, criteria) => {
  expect(chosen(given).criteria).toMatchObject(criteria);
});

describe("the method", () => {
  const stages = (...names: string[]) => ({
    verification_method: "multi_stage",
    verification_config: { stages: names.map((name) => ({ name, method: "external", config: { command: name } })) },
  });
  const semantic = { verification_method: "semantic", verification_config: ACCEPTANCE };
  const alone = { verification_method: "string_match" };
  const task = (agent: AgentRole, criteria: object): TaskCompletionSpec => ({
    ...SPEC,
    [agent]: { promise: "X", ...criteria },
  });

  test.each<[string, Given, ChosenCriteria["from"], object]>([
    ["is the task's", { spec: task("coder", EXTERNAL), settings: { coder: semantic } }, "task", EXTERNAL],
    [
      "is the task's if it gives only a command",
      { spec: task("qa", { verification_config: { command: "x" } }), agent: "qa" },
      "task",
      { verification_config: { command: "x" } },
    ],
    [
      "is the task's template",
      { spec: task("coder", { verification_template: "lint" }) },
      "task",
      { verification_template: "lint" },
    ],
    [
      "is the agent's in the settings if the task has only a promise",
      { spec: task("coder", {}), settings: { coder: EXTERNAL, default_verification: "string_match" } },
      "settings",
      EXTERNAL,
    ],
    ["is the common one in the settings", { settings: { default_verification: "string_match" } }, "settings", alone],
    [
      "is the common one in settings: a judge",
      { settings: { default_verification: "semantic" } },
      "settings",
      semantic,
    ],
    [
      "is not the common one in the settings if that needs a command",
      { settings: { default_verification: "external" } },
      "acceptance criteria",
      semantic,
    ],
    ["is the coder's default if a command is known", { commands: ["npm test"] }, "defaults", EXTERNAL],
    ["is the tester's default", { agent: "tester", commands: ["a", "b"] }, "defaults", stages("a", "b")],
    [
      "is the qa's default, with a judge for the criteria",
      { agent: "qa", commands: ["a"] },
      "defaults",
      {
        verification_method: "multi_stage",
        verification_config: {
          stages: [
            { name: "a", method: "external", config: { command: "a" } },
            { name: "acceptance criteria", method: "semantic", config: ACCEPTANCE },
          ],
        },
      },
    ],
    [
      "is a judge for the reviewer, even if a command is known",
      { agent: "reviewer", commands: ["a"] },
      "acceptance criteria",
      semantic,
    ],
    ["is a judge if nothing is known", {}, "acceptance criteria", semantic],
    ["is the promise without criteria", { spec: { outcome: "x", acceptance_criteria: [] } }, "promise", alone],
    ["is the promise without a spec", { spec: null }, "promise", alone],
    ["is the settings' without a spec", { spec: null, settings: { coder: EXTERNAL } }, "settings", EXTERNAL],
    ["is a known command's without a spec", { spec: null, commands: ["npm test"] }, "defaults", EXTERNAL],
  ])("%s", (_name, given, from, how) => {
    const { criteria, ...rest } = chosen(given);
    const { verification_method, verification_config, verification_template } = criteria;
    expect(rest.from).toBe(from);
    expect({ verification_method, verification_config, verification_template }).toEqual({
      verification_method: undefined,
      verification_config: undefined,
      verification_template: undefined,
      ...how,
    });
  });

  test.each<[string, Given, string[]]>([
    [
      "a spec is missing",
      { spec: null },
      ['the task "Greet" has no completion spec: the coder\'s promise alone decides'],
    ],
    [
      "a spec is missing, but not a method",
      { spec: null, commands: ["x"] },
      ['the task "Greet" has no completion spec'],
    ],
    [
      "there are no criteria",
      { spec: { outcome: "x", acceptance_criteria: [] } },
      ['the task "Greet" has no acceptance criteria: the coder\'s promise alone decides'],
    ],
    ["everything is given", {}, []],
  ])("warns: %s", (_name, given, warnings) => {
    expect(chosen(given).warnings).toEqual(warnings);
  });
});

describe("the proof", () => {
  const proofOf = (given: Given) => {
    const { agent = "coder" } = given;
    return resolveProof(chosen(given).criteria, {
      verify: [],
      checkTimeoutS: undefined,
      fields: { title: "Greet" },
      role: agent,
    });
  };

  test.each<[AgentRole, Rule[], boolean, boolean]>([
    ["coder", ["new-commit"], true, false],
    ["reviewer", ["approval"], false, false],
    ["tester", ["command-passed"], false, true],
    ["qa", [], false, false],
  ])("a %s has its own rules", (agent, rules, zeroWorkGuard, testsMayChange) => {
    expect(proofOf({ agent, commands: ["npm test"] })).toMatchObject({ rules, zeroWorkGuard, testsMayChange });
  });

  test.each(AGENT_ROLES)("the rules of a %s prove nothing: only checks do", (agent) => {
    expect(isBacked(proofOf({ agent, spec: null }))).toBe(false);
    expect(isBacked(proofOf({ agent, commands: ["npm test"] }))).toBe(true);
  });

  test("an optional check proves nothing", () => {
    const stages = [{ name: "lint", method: "external", config: { command: "npm run lint" }, required: false }];
    const coder = { promise: "X", verification_method: "multi_stage" as const, verification_config: { stages } };
    expect(isBacked(proofOf({ spec: { ...SPEC, coder } }))).toBe(false);
  });

  test("no command is required if there is none", () => {
    expect(proofOf({ agent: "tester" }).rules).toEqual([]);
  });

  test("criteria can say otherwise", () => {
    const coder = { promise: "X", zero_work_guard: false, allow_test_changes: true };
    expect(proofOf({ spec: { ...SPEC, coder } })).toMatchObject({ zeroWorkGuard: false, testsMayChange: true });
  });

  test.each(AGENT_ROLES)("the criteria of a %s are judged one by one", (agent) => {
    expect(leavesOf(proofOf({ agent }).stages)).toMatchObject([
      { method: "semantic", checkFor: SPEC.acceptance_criteria },
    ]);
  });

  test.each(AGENT_ROLES)("criteria with commands are proved by them, and no judge is asked for a %s", (agent) => {
    const spec = {
      ...SPEC,
      acceptance_criteria: [
        { text: "a", check: "check a" },
        { text: "b", check: "check b" },
      ],
    };
    expect(leavesOf(proofOf({ agent, spec }).stages).map((leaf) => [leaf.method, leaf.criterion])).toEqual([
      ["external", "a"],
      ["external", "b"],
    ]);
  });

  test("a believed promise has no checks, but keeps its guards", () => {
    const proof = proofOf({
      spec: { ...SPEC, coder: { promise: "X", ...EXTERNAL } },
      settings: { verify_promises: false },
    });
    expect(proof).toMatchObject({ stages: [], rules: [], zeroWorkGuard: true, acceptance: SPEC.acceptance_criteria });
    expect(isBacked(proof)).toBe(false);
  });
});
