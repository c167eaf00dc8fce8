import { expect, test } from "vitest";
import { stripAnsi } from "../../../core/ansi.ts";
import { taskEventWords } from "../../../core/task/event-words.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { NEW_TASK } from "../../../core/task/state.ts";
import type { TaskView } from "../../../doors/pipeline/tasks/task-view.ts";
import { taskLines } from "./task-lines.ts";

const WORK = { branch: "task/A", target: "main", base: "1".repeat(40), worktree: "/state/A" };
const ENDED = {
  type: "stage.ended",
  place: "qa",
  loop: "3f2a",
  detail: "",
  iterations: 1,
  findings: [],
  lastOutput: "",
  fingerprints: null,
} as const;

test.each<[TaskEvent, string]>([
  [
    { type: "task.taken", execution: "e1", stages: ["coder", "qa"], limits: NEW_TASK.limits },
    "taken by execution e1: coder, qa",
  ],
  [{ type: "work.prepared", work: WORK, fingerprints: {} }, "branch task/A created at 1111111111, for main"],
  [{ type: "stage.began", place: "coder", loop: "3f2a" }, "coder began: loop 3f2a"],
  [{ ...ENDED, reason: "verified" }, "qa ended verified after 1 iteration"],
  [
    { ...ENDED, reason: "faults-found", iterations: 2, findings: ["no\ntests"] },
    "qa ended faults-found after 2 iterations: no tests",
  ],
  [
    { type: "work.updated", onto: WORK.base, head: "2", conflicts: ["a", "b"], fingerprints: {} },
    "1111111111 merged into its branch: conflicts in a, b",
  ],
  [{ type: "merge.refused", findings: ["npm test exited 1"] }, "merge refused: npm test exited 1"],
  [{ type: "merge.proven", commit: WORK.base, onto: "2" }, "merge proven: 1111111111"],
  [{ type: "task.merged", commit: WORK.base }, "merged: 1111111111"],
  [{ type: "merge.waits", why: "main is dirty" }, "merge waits: main is dirty"],
  [{ type: "task.blocked", why: "no \u001b[31mnetwork" }, "blocked: no network"],
  [{ type: "task.cancelled", by: "ada" }, "cancelled by ada"],
  [{ type: "task.retried", by: "ada" }, "set back to todo by ada"],
  [{ type: "task.dropped", by: "ada" }, "dropped by ada"],
])("%j is shown on one line", (event, words) => {
  expect(taskEventWords(event)).toBe(words);
});

const VIEW: TaskView = {
  task: {
    ...{ id: "A", specId: "s", title: "T", description: "", priority: 1, dependencies: ["B"], assignee: "" },
    ...{ metadata: {}, completionSpec: null, status: "todo", iteration: 0, createdAtMs: 0, updatedAtMs: 0 },
    ...{ held: false, loop: null, proof: null },
  },
  seq: 0,
  state: NEW_TASK,
  dependencies: [{ id: "B", title: "B", status: "cancelled" }],
  followups: [],
  history: [],
  earlier: 0,
  loops: [],
};

const failure = {
  stage: "coder",
  iterations_used: 3,
  last_output: "",
  reason: "stuck: nothing new",
  loop: "l",
  stop_reason: "stuck",
} as const;

test.each<[string, Partial<TaskView["state"]>, TaskView["task"]["status"], RegExp]>([
  ["its dependencies", {}, "todo", /^depends on B \(cancelled\)\nwaits for {2}B$/m],
  ["that it has no definition of done", {}, "todo", /^No criteria: promises alone decide\.$/m],
  [
    "that the user holds it",
    { held: true },
    "todo",
    /^status {5}todo, held since .*ralph task update A --status todo/m,
  ],
  ["why it is blocked", { blocked: "no network" }, "blocked", /^status {5}blocked: no network \(ralph task update/m],
  ["why its merge waits", { waits: "main is dirty" }, "qa", /^status {5}qa, waiting: main is dirty$/m],
  [
    "its attempt and failure",
    { execution: "e", attempt: 2, failure },
    "todo",
    /^attempt {4}2 of 3, 0 sent back\nfailure {4}coder: stuck: nothing new$/m,
  ],
  [
    "its branch and worktree",
    { work: WORK },
    "implementing",
    /^branch {5}task\/A \(for main\)\nworktree {3}\/state\/A$/m,
  ],
])("a task shows %s", (_name, state, status, says) => {
  const view = { ...VIEW, state: { ...NEW_TASK, ...state }, task: { ...VIEW.task, status } };
  expect(stripAnsi(taskLines(view).join("\n"))).toMatch(says);
});
