import type { TaskStatus } from "../task/task.ts";

/** The lanes of the board, from left to right. */
export const LANES = ["todo", "implementing", "reviewing", "testing", "qa", "done", "blocked"] as const;
export type Lane = (typeof LANES)[number];

export const LANE_TITLES: Readonly<Record<Lane, string>> = {
  todo: "Todo",
  implementing: "Implementing",
  reviewing: "Reviewing",
  testing: "Testing",
  qa: "QA",
  done: "Done",
  blocked: "Blocked",
};

/** The lane of each status; null: only shown on request. A status without a lane does not compile. */
export const LANE_OF: Readonly<Record<TaskStatus, Lane | null>> = {
  proposed: "todo",
  todo: "todo",
  implementing: "implementing",
  reviewing: "reviewing",
  testing: "testing",
  qa: "qa",
  done: "done",
  blocked: "blocked",
  cancelled: null,
};

/** On a narrow page: what runs and what is blocked come first. */
export const LANES_BY_URGENCY: readonly Lane[] = [
  "implementing",
  "reviewing",
  "testing",
  "qa",
  "blocked",
  "todo",
  "done",
];
