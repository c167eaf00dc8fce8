import { expect, test } from "vitest";
import { readTask } from "../../../../core/schema/task.ts";
import { type AgentDraft, type Draft, documentOf, NEW_DRAFT, tidied } from "./draft.ts";
import { faultsOfDraft, faultsOfFailure } from "./faults.ts";

const FILLED: Draft = {
  ...NEW_DRAFT,
  title: "Add a discount",
  outcome: "Carts over $100 get 10 % off",
  criteria: [{ text: "The total is lower", check: "npm test" }],
};
const at = "completion_spec";
const withCoder = (coder: Partial<AgentDraft>): Draft => ({
  ...FILLED,
  agents: { ...FILLED.agents, coder: { ...FILLED.agents.coder, ...coder } },
});

test.each<[string, Draft, string[]]>([
  ["nothing is wrong with the least", FILLED, []],
  ["an empty form", NEW_DRAFT, ["title", `${at}.outcome`, `${at}.acceptance_criteria[0].text`]],
  [
    "a check without its text",
    { ...FILLED, criteria: [{ text: "", check: "x" }] },
    [`${at}.acceptance_criteria[0].text`],
  ],
  ["an id that is no id", { ...FILLED, id: "../x" }, ["id"]],
  ["a priority that is no number", { ...FILLED, priority: "high" }, ["priority"]],
  ["a dependency that is no id", { ...FILLED, dependencies: "T-1, ../x" }, ["dependencies"]],
  ["no command", withCoder({ method: "external" }), [`${at}.coder.verification_config.command`]],
  ["no iterations", withCoder({ maxIterations: "0" }), [`${at}.coder.max_iterations`]],
  [
    "a stage without a command",
    withCoder({ method: "multi_stage", stages: [{ name: "unit", command: "" }] }),
    [`${at}.coder.verification_config.stages[0].config.command`],
  ],
  ["a judge with the acceptance criteria", withCoder({ method: "semantic" }), []],
])("%s is shown at its field", (_name, draft, fields) => {
  const faults = faultsOfDraft(draft);
  expect(Object.keys(faults?.fields ?? {})).toEqual(fields);
  expect(faults?.general ?? []).toEqual([]);
});

test("a draft becomes the task of its document", () => {
  const draft = withCoder({ method: "external", command: "npm test" });
  const { task } = readTask({ id: "T-1", spec_id: "shop", ...documentOf(draft) }, {});
  expect(task?.completionSpec?.coder).toEqual({
    promise: "IMPLEMENTATION_COMPLETE",
    verification_method: "external",
    verification_config: { command: "npm test" },
  });
});

test("empty rows do not move the errors of the others", () => {
  const draft = tidied({
    ...FILLED,
    criteria: [
      { text: " ", check: "" },
      { text: "", check: "npm test" },
    ],
  });
  expect(draft.criteria).toHaveLength(1);
  expect(Object.keys(faultsOfDraft(draft)?.fields ?? {})).toEqual([`${at}.acceptance_criteria[0].text`]);
});

test.each([
  [
    "the body: title: missing, expected text; priority: expected a whole number",
    "bad-request",
    ["title", "priority"],
    0,
  ],
  ["there is already a task T-1", "task-exists", ["id"], 0],
  ["T-1 depends on T-9, which does not exist", "dependency-unknown", ["dependencies"], 0],
  ["the disk is full", "disk", [], 2],
])("what the server refuses is shown at its field: %s", (message, code, fields, general) => {
  const found = faultsOfFailure({ ok: false, status: 400, code, message, hint: "try again" }, FILLED);
  expect(Object.keys(found.fields)).toEqual(fields);
  expect(found.general).toHaveLength(general);
});
