import { expect, test } from "vitest";
import type { StageEnded, TaskEvent } from "./events.ts";
import { foldTask, reduceTask } from "./reduce.ts";
import { AGENT_ROLES } from "./role.ts";
import { NEW_TASK, type TaskState } from "./state.ts";
import type { TaskWork } from "./work.ts";

const limits = { maxAttempts: 2, maxRounds: 1 };
const work: TaskWork = { branch: "task/T", target: "main", base: "b0", worktree: "/w" };
const taken: TaskEvent = { type: "task.taken", execution: "e", stages: AGENT_ROLES, limits };
const prepared: TaskEvent = { type: "work.prepared", work, fingerprints: { "check.sh": "1" } };
const began = (place: StageEnded["place"], loop = "l"): TaskEvent => ({ type: "stage.began", place, loop });
const ended = (
  place: StageEnded["place"],
  reason: StageEnded["reason"],
  more: Partial<StageEnded> = {},
): TaskEvent => ({
  type: "stage.ended",
  place,
  loop: "l",
  reason,
  detail: "",
  iterations: 3,
  findings: [],
  lastOutput: "the end",
  fingerprints: null,
  ...more,
});
const through = (...places: StageEnded["place"][]): TaskEvent[] =>
  places.flatMap((place) => [began(place), ended(place, "verified")]);
const updated = (...conflicts: string[]): TaskEvent => ({
  type: "work.updated",
  onto: "t1",
  head: "h1",
  conflicts,
  fingerprints: { "check.sh": "2" },
});
const proven: TaskEvent = { type: "merge.proven", commit: "c1", onto: "t1" };
const refused: TaskEvent = { type: "merge.refused", findings: ["npm test fails"] };
const merged: TaskEvent = { type: "task.merged", commit: "c1" };
const cancelled: TaskEvent = { type: "task.cancelled", by: "me" };
const retried: TaskEvent = { type: "task.retried", by: "me" };
const dropped: TaskEvent = { type: "task.dropped", by: "me" };
const halted: TaskEvent = { type: "task.blocked", why: "no such branch" };
const begun = [taken, prepared];
const allStages = [...begun, ...through("coder", "reviewer", "tester", "qa")];

test.each<[string, TaskEvent[], Partial<TaskState>]>([
  ["starts at the coder", [taken], { status: "implementing", at: "coder", execution: "e", limits, loop: null }],
  ["records its branch and worktree", begun, { work, onto: "b0", fingerprints: { "check.sh": "1" } }],
  ["has a current loop", [...begun, began("coder")], { at: "coder", loop: "l", status: "implementing" }],
  [
    "continues with the next stage when one is verified",
    [...begun, began("coder"), ended("coder", "verified", { fingerprints: { "check.sh": "9" } })],
    { at: "reviewer", status: "reviewing", loop: null, fingerprints: { "check.sh": "9" } },
  ],
  ["records that work was started and not verified", [...begun, began("coder"), cancelled, retried], { tried: true }],
  ["also when it is retried", [...begun, began("coder"), dropped, retried, taken], { tried: true, attempt: 1 }],
  [
    "records no work if a loop was refused",
    [...begun, began("coder"), ended("coder", "already-green", { iterations: 0 }), retried],
    { tried: false },
  ],
  [
    "starts over if its branch is gone",
    [...allStages, updated(), proven, prepared],
    { at: "coder", status: "implementing", tried: false, candidate: null, updated: null },
  ],
  ["is tested", [...begun, ...through("coder", "reviewer")], { at: "tester", status: "testing" }],
  ["is merged after all stages are verified", allStages, { at: "merge", status: "qa" }],
  [
    "is sent back to the coder with the findings",
    [...begun, ...through("coder"), began("reviewer"), ended("reviewer", "faults-found", { findings: ["leaks"] })],
    { at: "coder", status: "implementing", rounds: 1, findings: { from: "reviewer", texts: ["leaks"] } },
  ],
  [
    "forgets the findings when the coder has fixed them",
    [...begun, ...through("coder"), began("qa"), ended("qa", "faults-found", { findings: ["x"] }), ...through("coder")],
    { at: "reviewer", findings: null, rounds: 1 },
  ],
  [
    "keeps the fingerprints if a stage has none",
    [...begun, ...through("coder")],
    { fingerprints: { "check.sh": "1" } },
  ],
  [
    "is todo again after a failure, at the stage that failed",
    [...begun, ...through("coder"), began("reviewer"), ended("reviewer", "iteration-limit")],
    {
      status: "todo",
      at: "reviewer",
      attempt: 2,
      rounds: 0,
      failure: {
        stage: "reviewer",
        iterations_used: 3,
        last_output: "the end",
        reason: "Max iterations reached without completion promise",
        loop: "l",
        stop_reason: "iteration-limit",
      },
    },
  ],
  [
    "waits for the user if its checks are missing",
    [...begun, began("coder"), ended("coder", "check-missing", { detail: "no test.sh" })],
    { status: "blocked", blocked: "no test.sh" },
  ],
  [
    "has conflicts to resolve",
    [...allStages, updated("a.ts")],
    { at: "conflict", conflicts: ["a.ts"], status: "qa", onto: "t1" },
  ],
  [
    "continues merging when they are resolved",
    [...allStages, updated("a.ts"), ...through("conflict")],
    { at: "merge", conflicts: [], status: "qa" },
  ],
  [
    "is up to date",
    [...allStages, updated()],
    { at: "merge", onto: "t1", candidate: null, fingerprints: { "check.sh": "2" } },
  ],
  ["has a commit to merge", [...allStages, updated(), proven], { candidate: { commit: "c1", onto: "t1" } }],
  ["loses it if the target has moved", [...allStages, updated(), proven, updated()], { candidate: null }],
  [
    "goes back if the merge result fails",
    [...allStages, updated(), proven, refused],
    { at: "coder", candidate: null, findings: { from: "merge", texts: ["npm test fails"] } },
  ],
  ["waits", [...allStages, { type: "merge.waits", why: "dirty" }], { waits: "dirty", status: "qa", at: "merge" }],
  [
    "no longer waits when it is taken again",
    [...allStages, { type: "merge.waits", why: "dirty" }, taken],
    { waits: null },
  ],
  [
    "is done when the target has it",
    [...allStages, updated(), proven, merged],
    { status: "done", merged: "c1", candidate: null, failure: null },
  ],
  ["is blocked with a reason", [...begun, halted], { status: "blocked", blocked: "no such branch", loop: null }],
  [
    "is held by the user",
    [...begun, began("coder"), cancelled],
    { status: "todo", held: true, loop: null, at: "coder" },
  ],
  ["is not started while it is held", [cancelled, taken], { status: "todo", held: true, execution: null }],
  ["is not driven while it is held", [cancelled, prepared, ...through("qa"), merged], { status: "todo", work: null }],
  ["is released", [cancelled, retried], { status: "todo", held: false }],
  [
    "has all its attempts again",
    [...begun, began("coder"), ended("coder", "stuck"), halted, retried],
    { status: "todo", blocked: null, attempt: 1 },
  ],
  ["is no longer blocked when the user cancels it", [halted, cancelled], { status: "todo", held: true, blocked: null }],
  ["is dropped", [halted, dropped], { status: "cancelled", held: false, blocked: null, loop: null }],
])("%s", (_name, events, expected) => {
  expect(foldTask(events.map((event) => ({ event })))).toMatchObject(expected);
});

test("failing the last attempt blocks it, with the reason", () => {
  const failing = [taken, began("coder"), ended("coder", "stuck", { detail: "no progress" })];
  const state = foldTask([...begun, ...failing, ...failing].map((event) => ({ event })));
  expect(state).toMatchObject({
    status: "blocked",
    attempt: 2,
    blocked: "2 attempts have failed, the last one at coder: stuck: no progress",
  });
});

test("one round too many blocks it, with the remaining findings", () => {
  const round = [...through("coder"), began("reviewer"), ended("reviewer", "faults-found", { findings: ["it leaks"] })];
  const state = foldTask([...begun, ...round, ...round].map((event) => ({ event })));
  expect(state).toMatchObject({ status: "blocked", blocked: "reviewer still finds faults after 1 rounds: it leaks" });
});

test("findings without a coder block it", () => {
  const state = foldTask(
    [{ ...taken, stages: ["reviewer"] } as const, prepared, began("reviewer"), ended("reviewer", "faults-found")].map(
      (event) => ({ event }),
    ),
  );
  expect(state).toMatchObject({
    status: "blocked",
    blocked: "reviewer found faults, but there is no coder stage",
  });
});

test("a conflict that an agent could not resolve is left to the user", () => {
  const events = [
    ...allStages,
    updated("a.ts"),
    began("conflict"),
    ended("conflict", "iteration-limit", { detail: "7 of 7" }),
  ];
  expect(foldTask(events.map((event) => ({ event })))).toMatchObject({
    status: "blocked",
    at: "conflict",
    blocked: "merge conflicts: 7 of 7",
    conflicts: ["a.ts"],
  });
});

test("the end of another loop changes nothing", () => {
  const state = foldTask([...begun, began("coder", "new")].map((event) => ({ event })));
  expect(reduceTask(state, ended("coder", "verified"))).toBe(state);
});

test.each([
  [
    ["coder", "qa"],
    ["coder", "qa", "merge"],
  ],
  [
    ["qa", "coder"],
    ["coder", "qa", "merge"],
  ],
  [["tester"], ["tester", "merge"]],
  [[], ["merge"]],
] as const)("goes through the stages %j as %j", (stages, expected) => {
  const way: string[] = [];
  let state = reduceTask(NEW_TASK, { ...taken, stages });
  while (state.at !== "merge" && state.at !== "conflict") {
    way.push(state.at);
    state = foldTask(
      through(state.at).map((event) => ({ event })),
      state,
    );
  }
  expect([...way, state.at]).toEqual(expected);
});

test("a loop of a removed stage is not resumed", () => {
  const state = foldTask([...begun, ...through("coder"), began("reviewer")].map((event) => ({ event })));
  expect(reduceTask(state, taken)).toMatchObject({ at: "reviewer", loop: "l" });
  expect(reduceTask(state, { ...taken, stages: ["coder", "qa"] } as TaskEvent)).toMatchObject({ at: "qa", loop: null });
});

test("a task proposed by an agent rests until the user accepts it", () => {
  const after = (...events: TaskEvent[]) => foldTask(events.map((event) => ({ event })));
  const proposed = { type: "task.proposed", by: "ab12cd34" } as const;
  const person = { by: "me" } as const;
  expect(after(proposed)).toMatchObject({ status: "proposed", proposedBy: "ab12cd34" });
  expect(after(proposed, ...allStages)).toEqual(after(proposed));
  expect(after(proposed, { type: "task.dropped", ...person })).toMatchObject({ status: "cancelled" });
  const again = [
    { type: "task.dropped", ...person },
    { type: "task.retried", ...person },
  ] as const;
  expect(after(proposed, ...again).status).toBe("proposed");
  expect(after(proposed, { type: "task.accepted", ...person })).toEqual({ ...NEW_TASK });
  expect(after({ type: "task.added", ...person }, { type: "task.accepted", ...person })).toEqual(NEW_TASK);
});

test.each<[string, Partial<TaskState>, Partial<TaskState>]>([
  [
    "an interrupted stage: from the first stage on, and the branch is not empty",
    { at: "qa", loop: "l", attempt: 3, rounds: 2, status: "qa", proven: "c" },
    { at: "coder", loop: null, attempt: 1, rounds: 0, status: "implementing", tried: true, proven: "c" },
  ],
  ["conflicts: only their loop", { at: "conflict", loop: "l", attempt: 2 }, { at: "conflict", loop: null, attempt: 2 }],
  [
    "proven work is only merged",
    { at: "merge", status: "qa", proven: "c" },
    { at: "merge", status: "qa", proven: "c" },
  ],
])("a restart of %s", (_what, before, after) => {
  expect(reduceTask({ ...NEW_TASK, ...before }, { type: "task.restarted", by: "test" })).toMatchObject(after);
});
