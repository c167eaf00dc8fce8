import { expect, test } from "vitest";
import { importTasks } from "./format.ts";
import { slugId } from "./names.ts";
import { type Existing, planImport } from "./plan.ts";
import { sourceKey, type TaskSource } from "./source.ts";

const NOTHING: Existing = { ids: new Map(), sources: new Map() };
const existing = (...tasks: { id: string; source?: TaskSource }[]): Existing => ({
  ids: new Map(tasks.map(({ id }) => [id.toLowerCase(), id])),
  sources: new Map(tasks.flatMap(({ id, source }) => (source ? [[sourceKey(source), id] as const] : []))),
});
const PLACE = { file: "./plan.md", path: "docs/plan.md", spec: "s" };
const plan = (text: string, there = NOTHING) => planImport(importTasks(text, "plan.md", "markdown"), there, PLACE);
const planPrd = (stories: object[], there = NOTHING) =>
  planImport(importTasks(JSON.stringify(stories), "prd.json", "prd"), there, PLACE);
const ids = (text: string, there = NOTHING) => plan(text, there).tasks.map(({ id }) => id);

test("a task has everything in the file, and its source", () => {
  expect(plan("- [ ] A-1: Do it\n  - holds\n  - priority: 2").tasks).toEqual([
    {
      id: "A-1",
      specId: "s",
      title: "Do it",
      description: "",
      priority: 2,
      dependencies: [],
      assignee: "",
      metadata: { source: { kind: "markdown", path: "docs/plan.md", story: "A-1" } },
      completionSpec: { outcome: "Do it", acceptance_criteria: ["holds"] },
    },
  ]);
});

test("without criteria the outcome is the criterion", () => {
  expect(plan("- [ ] Do it").tasks[0]).toMatchObject({
    priority: 3,
    completionSpec: { outcome: "Do it", acceptance_criteria: ["Do it"] },
  });
});

test("generated ids differ from given and existing ones", () => {
  expect(ids("- [ ] a\n- [ ] T-002: b\n- [ ] c\n- [ ] d", existing({ id: "t-003" }))).toEqual([
    "T-001",
    "T-002",
    "T-004",
    "T-005",
  ]);
});

test.each<[string, string | null]>([
  ["../../x", "x"],
  ["--option", "option"],
  ["US 1/2", "US-1-2"],
  ["a..b", "a-b"],
  ["x.lock", null],
  ["été 1", "ete-1"],
  ["日本", null],
  ["\u001b[31mA\u0000B", "31mA-B"],
  ["", null],
  ["a".repeat(100), "a".repeat(60)],
  ["a.-b.", "a-b"],
])("the name %j becomes the id %s", (name, id) => {
  expect(slugId(name)).toBe(id);
});

test("names that are not valid ids are made safe, and kept in the metadata", () => {
  const { tasks } = planPrd([
    { id: "../../x", title: "a" },
    { id: "x", title: "b" },
    { id: "日本", title: "c", dependsOn: ["../../x"] },
  ]);
  expect(tasks.map(({ id, metadata, dependencies }) => ({ id, ...metadata, dependencies }))).toMatchObject([
    { id: "x-2", source: { story: "../../x" } },
    { id: "x", source: { story: "x" } },
    { id: "T-001", source: { story: "日本" }, dependencies: ["x-2"] },
  ]);
});

test("an imported task is recognised at any place in the list", () => {
  const before = plan("- [ ] a\n- [ ] b").tasks;
  const there = existing(...before.map(({ id, metadata }) => ({ id, source: metadata.source as TaskSource })));
  expect(plan("- [ ] new\n- [ ] b\n- [ ] a", there)).toMatchObject({
    tasks: [{ id: "T-003", title: "new" }],
    there: ["T-002", "T-001"],
  });
});

test("a dependency may be in the file, done, existing, or written differently", () => {
  const text = `## Task 1: a
Depends on: Task 2, TASK-3, OLD-1
## Task 2: b
## Task 3: c
Status: done`;
  expect(plan(text, existing({ id: "old-1" })).tasks.map(({ dependencies }) => dependencies)).toEqual([
    ["TASK-2", "old-1"],
    [],
  ]);
});

test("an issue depends only on tasks", () => {
  const issue = (number: number, body: string) => ({ number, title: "x", body });
  const text = JSON.stringify([issue(1, "depends on #2, #3 and #4"), issue(2, "")]);
  const { tasks } = planImport(importTasks(text, "i.json", "github"), existing({ id: "GH-3" }), PLACE);
  expect(tasks.map(({ dependencies }) => dependencies)).toEqual([["GH-2", "GH-3"], []]);
});

test.each<[string, string, Existing, string]>([
  [
    "an unknown dependency",
    "- [ ] A-1: a\n  - depends on: B-1",
    NOTHING,
    "./plan.md:1:1: A-1: depends on B-1, which is neither",
  ],
  ["a duplicate id", "- [ ] A-1: a\n- [ ] a-1: b", NOTHING, "./plan.md:2:1: a-1: given twice, first at 1:1"],
  ["another task's id", "- [ ] A-1: a", existing({ id: "a-1" }), "./plan.md:1:1: A-1: the task a-1 already exists"],
  [
    "the id of a task from another file",
    "- [ ] A-1: a",
    existing({ id: "A-1", source: { kind: "markdown", path: "other.md", story: "A-1" } }),
    "the task A-1 already exists and has another source",
  ],
])("refuses %s", (_name, text, there, says) => {
  expect(() => plan(text, there)).toThrow(says);
});
