import { expect, test } from "vitest";
import { TASK_STATUSES } from "../task/task.ts";
import { LANE_OF, LANES } from "./lanes.ts";

test("every status has a lane, except the cancelled tasks, and no lane stays empty", () => {
  const lanes = TASK_STATUSES.map((status) => LANE_OF[status]);
  expect(TASK_STATUSES.filter((status) => LANE_OF[status] === null)).toEqual(["cancelled"]);
  expect(new Set(lanes.filter((lane) => lane !== null))).toEqual(new Set(LANES));
});
