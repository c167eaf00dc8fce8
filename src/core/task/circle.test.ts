import { expect, test } from "vitest";
import { circleFrom } from "./circle.ts";

test.each<[string, Record<string, string[]>, string[] | null]>([
  ["none in a chain", { a: ["b"], b: ["c"], c: [] }, null],
  ["none if two paths meet", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, null],
  ["a task that depends on itself", { a: ["a"] }, ["a", "a"]],
  ["two", { a: ["b"], b: ["a"] }, ["a", "b", "a"]],
  ["only the circle, not the path to it", { a: ["b"], b: ["c"], c: ["d"], d: ["b"] }, ["b", "c", "d", "b"]],
  ["one behind a part that was visited before", { a: ["c"], b: ["c", "e"], c: [], e: ["b"] }, ["b", "e", "b"]],
])("finds %s", (_name, needs, found) => {
  expect(circleFrom(Object.keys(needs), (id) => needs[id] ?? [])).toEqual(found);
});

test("follows a chain as long as a list of tasks", () => {
  expect(circleFrom(["0"], (id) => (id === "99999" ? ["50000"] : [String(Number(id) + 1)]))).toHaveLength(50_001);
});
