import { expect, test } from "vitest";
import type { LoopSummary } from "../loop/store.ts";
import { NEW_TASK, type TaskState } from "../task/state.ts";
import type { Task } from "../task/task.ts";
import { cardOf } from "./card.ts";
import type { StageLine } from "./task-page.ts";
import { type TaskFacts, taskPage } from "./task-page-of.ts";

const task: Task = {
  ...{ id: "T-1", specId: "site", title: "Make it", description: "All of it.\u001b[2J", priority: 1, dependencies: [] },
  ...{ assignee: "", metadata: {}, status: "implementing", iteration: 2, createdAtMs: 1, updatedAtMs: 2 },
  ...{ held: false, loop: "b", proof: null },
  completionSpec: { outcome: "it works", acceptance_criteria: ["one", { text: "two", check: "npm test" }] },
};

const loop = (place: string, more: Partial<LoopSummary>): LoopSummary =>
  ({
    ...{ id: "b", part: { task: "T-1", place }, reason: null, iteration: 2, maxIterations: 15 },
    ...more,
  }) as LoopSummary;

const proof = { method: "external", promise: "DONE", maxIterations: 15, checks: ["npm test"] };

function page(state: Partial<TaskState>, facts: Partial<TaskFacts> = {}, driven = true) {
  const whole: TaskState = { ...NEW_TASK, status: "implementing", ...state };
  return taskPage({
    ...{
      task,
      state: whole,
      isOpen: true,
      decided: "",
      next: "",
      loops: [],
      stages: ["coder", "reviewer", "qa"],
      proved: null,
    },
    ...{ steps: [], earlier: 0, dependencies: [], followups: [] },
    proofs: { coder: proof, reviewer: proof, tester: proof, qa: proof },
    card: cardOf({
      task,
      state: whole,
      loop: null,
      pulse: null,
      spent: { costUsd: 0, tokens: 0 },
      driven,
      waitsFor: [],
    }),
    ...facts,
  });
}

const stands = (stages: readonly StageLine[]) =>
  stages.map(({ role, is, words }) => [role, is, words].join(" ").trim());

test.each<[string, ReturnType<typeof page>, string[]]>([
  [
    "its first stage runs",
    page({ at: "coder" }, { loops: [loop("coder", {})] }),
    ["coder running iteration 2/15", "reviewer next", "tester skipped", "qa next"],
  ],
  [
    "nothing works on it",
    page({ at: "coder" }, { loops: [loop("coder", {})] }, false),
    ["coder running nothing works on it", "reviewer next", "tester skipped", "qa next"],
  ],
  [
    "a stage has passed and one has failed",
    page(
      { at: "coder", status: "blocked" },
      { loops: [loop("reviewer", { reason: "stuck", iteration: 1 }), loop("coder", { reason: "verified" })] },
    ),
    [
      "coder passed ✓ verified after 2 iterations",
      "reviewer failed ■ stuck after 1 iteration",
      "tester skipped",
      "qa next",
    ],
  ],
])("stages while %s", (_name, { stages }, expected) => {
  expect(stands(stages)).toEqual(expected);
});

test("criteria are open until a loop has covered them; text of others cannot move a cursor", () => {
  const { criteria, outcome, decides, description } = page({});
  expect({ criteria, outcome, decides, description }).toEqual({
    criteria: ["one", "two"].map((text) => ({ text, is: "open", why: "" })),
    ...{ outcome: "it works", decides: "decides next", description: "All of it." },
  });
});

test("history names who sent it back, what failed and why", () => {
  const { history } = page(
    {},
    {
      steps: [
        { is: "round", atMs: 1, attempt: 1, round: 2, sentBackBy: "reviewer" },
        {
          ...{ is: "stage", atMs: 2, place: "coder", loop: "b", reason: "iteration-limit", detail: "", iterations: 15 },
          ...{ findings: [], weak: [], effect: "failed", decided: "failed: login fails" },
        },
        {
          is: "event",
          atMs: 3,
          effect: "sent-back",
          event: { type: "merge.refused", findings: ["npm test"] } as never,
        },
      ],
    },
  );
  expect(history).toEqual([
    { atMs: 1, tone: "warn", loop: null, words: "attempt 1, round 2, sent back by the reviewer", details: [] },
    {
      ...{ atMs: 2, tone: "bad", loop: "b", words: "coder: ✗ failed: iteration-limit, 15 iterations" },
      details: ["failed: login fails"],
    },
    { atMs: 3, tone: "bad", loop: null, words: "merge: ✗ sent the task back to the coder", details: ["npm test"] },
  ]);
});
