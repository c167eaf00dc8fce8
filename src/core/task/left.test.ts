import { expect, test } from "vitest";
import { taskStanding } from "../report/standing.ts";
import { stopWords } from "./left.ts";
import { foldTask } from "./reduce.ts";

const TAKEN = {
  type: "task.taken",
  execution: "x",
  stages: ["coder"],
  limits: { maxAttempts: 1, maxRounds: 0 },
} as const;

test("a task that its execution left says why, until another one takes it", () => {
  const why = stopWords({ as: "interrupted", by: "ralph cancel (pid 7)" });
  const events = [TAKEN, { type: "task.left", why } as const, TAKEN].map((event) => ({ event }));
  const whyAfter = (n: number) => taskStanding("A", foldTask(events.slice(0, n)), false)?.why;
  expect([1, 2, 3].map(whyAfter)).toEqual(["no execution works on it", "you cancelled it", "no execution works on it"]);
});

test("what stopped an execution, in words", () => {
  expect(stopWords({ as: "interrupted", by: "SIGINT" })).toBe("interrupted by SIGINT");
  expect(stopWords({ as: "budget", by: "$5" })).toBe("the budget was used up: $5");
});
