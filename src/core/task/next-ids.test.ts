import { expect, test } from "vitest";
import { nextIds } from "./next-ids.ts";

test.each<[readonly string[], number, readonly string[]]>([
  [[], 2, ["TASK-001", "TASK-002"]],
  [["TASK-001", "US-7", "T-009"], 1, ["TASK-002"]],
  // Ids of deleted tasks in between may still name branches.
  [["TASK-004", "TASK-002"], 1, ["TASK-005"]],
  [["task-12"], 1, ["TASK-013"]],
  [["TASK-1", "TASK-999"], 1, ["TASK-1000"]],
  [["TASK-003-b", "TASK-99999999999999999999"], 1, ["TASK-001"]],
])("after %j come %i: %j", (known, count, ids) => {
  expect(nextIds(known, count)).toEqual(ids);
});
