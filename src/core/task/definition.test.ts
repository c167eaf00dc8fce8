import { expect, test } from "vitest";
import { someTask } from "../../../test/support/task.ts";
import { definitionDifferences, definitionOf, definitionText, withDefinition } from "./definition.ts";
import type { Task } from "./task.ts";

const task = someTask("A", { metadata: { b: 1, a: { y: 1, x: 2 } } });
const definition = definitionOf(task);

test.each<[string, Partial<typeof task>, string[]]>([
  ["nothing", {}, []],
  ["priority and assignee", { priority: 9, assignee: "ada" }, []],
  ["the journals' own fields", { metadata: { ...task.metadata, ralph: { iteration: 1 }, ralph_failure: {} } }, []],
  ["the order of keys", { metadata: { a: { x: 2, y: 1 }, b: 1 } }, []],
  ["title and description", { title: "t", description: "d" }, ["title", "description"]],
  ["dependencies", { dependencies: ["B"] }, ["dependencies"]],
  ["metadata", { metadata: { b: 2 } }, ["metadata"]],
  ["criteria", { completionSpec: { outcome: "o", acceptance_criteria: [] } }, ["criteria"]],
])("differences are named: %s", (_what, change, names) => {
  const other = definitionOf({ ...task, ...change });
  expect(definitionDifferences(definition, other)).toEqual(names);
  expect(definitionText(definition) === definitionText(other)).toBe(names.length === 0);
});

test("another definition keeps the fields of the work", () => {
  const inWork = { ...task, status: "qa", metadata: { c: 1, ralph_failure: { stage: "qa" } } } as unknown as Task;
  expect(withDefinition(inWork, definition)).toMatchObject({
    status: "qa",
    metadata: { b: 1, ralph_failure: { stage: "qa" } },
  });
  expect(withDefinition(inWork, definition).metadata).not.toHaveProperty("c");
});
