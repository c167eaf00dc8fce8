import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { importPrd } from "./prd.ts";

const read = (value: unknown) => importPrd(JSON.stringify(value), "prd.json");
const brief = (value: unknown) => {
  const { drafts, done, project } = read(value);
  return { done, project, drafts: drafts.map(({ place: _, ...draft }) => draft) };
};

const STORY = {
  id: "US-001",
  title: "Add priority field",
  description: "As a developer, I need to store priority.",
  acceptanceCriteria: ["Add a column", "Typecheck passes"],
  priority: 1,
  passes: false,
  notes: "",
};
const DRAFT = {
  id: "US-001",
  story: "US-001",
  url: null,
  title: "Add priority field",
  description: "As a developer, I need to store priority.",
  outcome: "As a developer, I need to store priority.",
  criteria: ["Add a column", "Typecheck passes"],
  priority: 1,
  dependsOn: [],
  assignee: "",
};

test("reads the format of the shell loops", () => {
  const value = {
    project: "MyApp",
    branchName: "ralph/task-priority",
    description: "Task priority",
    verificationCommands: { test: "npm test" },
    userStories: [STORY, { ...STORY, id: "US-002", passes: true }],
  };
  expect(brief(value)).toEqual({ project: "MyApp", done: ["US-002"], drafts: [DRAFT] });
});

test.each<[string, unknown, object]>([
  ["a plain list", [STORY], {}],
  ["stories", { stories: [STORY] }, {}],
  ["user_stories", { user_stories: [STORY] }, {}],
  [
    "the terminal interfaces' dependsOn",
    { name: "x", userStories: [{ ...STORY, dependsOn: ["US-0"] }] },
    { dependsOn: ["US-0"] },
  ],
  ["dependencies", [{ ...STORY, dependencies: ["A", 2] }], { dependsOn: ["A", "2"] }],
  ["one dependency", [{ ...STORY, depends_on: "A" }], { dependsOn: ["A"] }],
  ["numbers for ids", [{ ...STORY, id: 7 }], { id: "7", story: "7" }],
  [
    "acceptance_criteria",
    [{ ...STORY, acceptanceCriteria: undefined, acceptance_criteria: ["c"] }],
    { criteria: ["c"] },
  ],
  ["criteria as maps", [{ ...STORY, acceptanceCriteria: [{ description: "c", passes: false }] }], { criteria: ["c"] }],
  ["one criterion", [{ ...STORY, acceptanceCriteria: "c" }], { criteria: ["c"] }],
  ["words for priorities", [{ ...STORY, priority: "high" }], { priority: 1 }],
  ["P2", [{ ...STORY, priority: "P2" }], { priority: 2 }],
  ["no priority", [{ ...STORY, priority: null }], { priority: null }],
  ["an invalid priority", [{ ...STORY, priority: "someday" }], { priority: null }],
  ["null for missing values", [{ ...STORY, notes: null, dependsOn: null }], {}],
  ["status instead of passes", [{ ...STORY, passes: undefined, status: "pending" }], {}],
  [
    "notes, which are for the agent",
    [{ ...STORY, notes: "see #3" }],
    { description: `${STORY.description}\n\nsee #3` },
  ],
  [
    "a title alone",
    [
      {
        id: "US-001",
        title: "Add priority field",
        acceptanceCriteria: ["Add a column", "Typecheck passes"],
        priority: 1,
      },
    ],
    { description: "", outcome: "Add priority field" },
  ],
])("reads %s", (_name, value, differs) => {
  expect(brief(value).drafts).toEqual([{ ...DRAFT, ...differs }]);
});

test("reads a list of features with steps", () => {
  const features = [
    {
      category: "functional",
      description: "New chat button works",
      steps: ["Click it", "See a new chat"],
      passes: false,
    },
    { category: "style", description: "Dark mode", steps: [], passes: true },
    { id: 3, name: "Login", description: "Log in and out", testing_steps: ["Open it"], status: "completed" },
  ];
  for (const value of [features, { features }]) {
    const { drafts, done } = brief(value);
    expect(done).toEqual(["Dark mode", "3"]);
    expect(drafts).toMatchObject([
      {
        id: null,
        story: "New chat button works",
        title: "New chat button works",
        criteria: ["Click it", "See a new chat"],
      },
    ]);
  }
});

test("equal features get different ids", () => {
  const drafts = brief([{ description: "x" }, { description: "x", passes: true }, { description: "x" }]).drafts;
  expect(drafts.map(({ story }) => story)).toEqual(["x", "x #3"]);
});

test.each<[string, string, string | RegExp]>([
  ["no JSON", '{\n  "userStories": [,]\n}', /^prd\.json:2:19: /],
  ["nothing", "", "prd.json:1:1: the file is empty"],
  ["no stories", '{"prd": {}}', /^prd\.json:1:1: expected a list of stories.*"userStories"/],
  ["a scalar", "3", /^prd\.json:1:1: expected a list of stories/],
  [
    "stories that are not a list",
    '{"userStories": {}}',
    "prd.json:1:17: userStories: expected a list of stories, got a map",
  ],
  ["a story that is text", '["x"]', /^prd\.json:1:2: \[0\]: expected a story.*got "x"/],
  ["no title", '{"userStories":[\n{"id": "A"}]}', "prd.json:2:1: userStories[0]: expected a story with a title"],
  ["passes as text", '[{"title":"x",\n"passes":"no"}]', '[0].passes: expected true or false, got "no"'],
  ["criteria that are numbers", '[{"title":"x","acceptanceCriteria":[1]}]', /acceptanceCriteria/],
])("refuses %s with its location", (_name, text, says) => {
  const attempt = () => importPrd(text, "prd.json");
  expect(attempt).toThrow(says);
  expect(attempt).toThrow(RalphError);
});

test("thousands of mistakes are reported quickly", () => {
  const stories = Array.from({ length: 20_000 }, () => ({ title: "x", passes: 1 }));
  expect(() => read({ userStories: stories })).toThrow(/userStories\[0\]\.passes[\s\S]*more$/);
}, 4_000);

test("endless nesting is handled", () => {
  expect(() => importPrd("[".repeat(100_000), "prd.json")).toThrow(RalphError);
  for (let depth = 1_000; depth < 20_000; depth += 1_000) {
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(importPrd(`[{"title": "x", "more": ${deep}}]`, "prd.json").drafts).toHaveLength(1);
    expect(() => importPrd(`[{"title": 1, "more": ${deep}}]`, "prd.json")).toThrow(/prd\.json:1:\d+: \[0\]\.title/);
  }
});
