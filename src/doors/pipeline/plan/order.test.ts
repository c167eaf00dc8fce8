import { expect, test } from "vitest";
import type { TaskStatus } from "../../../core/task/task.ts";
import { startOrder } from "./order.ts";

const row = (id: string, dependencies: string[] = [], status: TaskStatus = "todo", held = false) => ({
  ...{ id, dependencies, status, held },
});

test.each<[string, Parameters<typeof startOrder>[0], [string, string[]][]]>([
  [
    "as listed",
    [row("B"), row("A")],
    [
      ["B", []],
      ["A", []],
    ],
  ],
  [
    "dependencies first",
    [row("B", ["A"]), row("C"), row("A")],
    [
      ["C", []],
      ["A", []],
      ["B", ["A"]],
    ],
  ],
  [
    "a task that has become ready comes before later ones",
    [row("B", ["A"]), row("A"), row("C")],
    [
      ["A", []],
      ["B", ["A"]],
      ["C", []],
    ],
  ],
  ["done dependencies do not count", [row("B", ["D"])], [["B", []]]],
  [
    "interrupted tasks first",
    [row("A"), row("B", [], "testing")],
    [
      ["B", []],
      ["A", []],
    ],
  ],
  [
    "behind blocked, held and proposed ones nothing starts",
    [
      row("A", [], "blocked"),
      row("B", ["A"]),
      row("C", ["B"]),
      row("H", [], "todo", true),
      row("P", [], "proposed"),
      row("Q", ["P"]),
      row("X"),
    ],
    [["X", []]],
  ],
])("%s", (_what, listed, expected) => {
  expect(startOrder(listed, (id) => id === "D").map(({ id, after }) => [id, after])).toEqual(expected);
});
