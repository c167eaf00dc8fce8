import { expect, test } from "vitest";
import { forecastOf, type TaskAhead } from "./forecast.ts";

const LIMITS = { maxAttempts: 3, maxRounds: 3 };
const NEW: TaskAhead = {
  stages: [
    { place: "coder", maxIterations: 15 },
    { place: "qa", maxIterations: 5 },
  ],
  left: ["coder", "qa"],
  attempt: 1,
  rounds: 0,
};
const FREE = { limits: LIMITS, budgetUsd: null, loopUsd: null, past: [] };
const part = { task: "A", place: "coder" } as const;

test("iterations are counted from one a stage to every round of every attempt", () => {
  expect(forecastOf([NEW, NEW], FREE)).toEqual({
    ...{ tasks: 2, least: 4, most: 2 * 3 * 4 * 20, mostLoops: 2 * 3 * 4 * 2, round: 20, limits: LIMITS },
    ...{ limitUsd: null, past: null },
  });
  expect(forecastOf([], FREE)).toMatchObject({ tasks: 0, least: 0, most: 0, round: 0 });
});

test.each<[string, Partial<TaskAhead>, number, number]>([
  ["the last attempt", { attempt: 3 }, 2, 4 * 20],
  ["the last round of the last attempt", { attempt: 3, rounds: 3 }, 2, 20],
  ["a task at its last stage", { left: ["qa"] }, 1, 5 + 11 * 20],
  ["a task that only has to be merged", { left: [] }, 0, 0],
  // The limits were lowered in the meantime.
  ["more attempts than are allowed now", { attempt: 5, rounds: 9 }, 2, 20],
])("%s", (_what, ahead, least, most) => {
  expect(forecastOf([{ ...NEW, ...ahead }], FREE)).toMatchObject({ least, most });
});

test.each([
  ["nothing is known", {}, null],
  ["a budget", { budgetUsd: 20 }, 20],
  ["a limit of each loop", { loopUsd: 2 }, 2 * 24],
  ["the lower one of both", { budgetUsd: 10, loopUsd: 2 }, 10],
])("the limit in dollars: %s", (_what, limits, limitUsd) => {
  expect(forecastOf([NEW], { ...FREE, ...limits }).limitUsd).toBe(limitUsd);
});

test("the cost so far is that of tasks, else of any loop; loops of unknown cost do not count", () => {
  const loop = { part: null, costUsd: 3, iteration: 3 };
  const unknown = { part, costUsd: 0, iteration: 9 };
  const ofTask = { part, costUsd: 1, iteration: 4 };
  const past = (...loops: Parameters<typeof forecastOf>[1]["past"][number][]) =>
    forecastOf([NEW], { ...FREE, past: loops }).past;
  expect(past(unknown)).toBeNull();
  expect(past(unknown, loop)).toEqual({ iterationUsd: 1, leastUsd: 2, mostUsd: 240 });
  expect(past(loop, ofTask)).toMatchObject({ iterationUsd: 0.25 });
});
