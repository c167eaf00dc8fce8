import fc from "fast-check";
import { expect, test } from "vitest";
import { STOP_REASONS } from "../loop/stop-reasons.ts";
import { canBecome, decideTask, type TaskDecision, TRANSITIONS } from "./decide.ts";
import type { StageEnded, TaskEvent } from "./events.ts";
import { reduceTask } from "./reduce.ts";
import { AGENT_ROLES, type AgentRole, type LoopRole } from "./role.ts";
import { NEW_TASK, type TaskState } from "./state.ts";
import { TASK_STATUSES } from "./task.ts";
import type { TaskLimits } from "./work.ts";

const work = { branch: "task/T", target: "main", base: "b", worktree: "/w" };
const candidate = { commit: "c", onto: "o" };

test.each<[string, Partial<TaskState>, TaskDecision]>([
  ["makes its branch first", { status: "implementing" }, { do: "prepare" }],
  ["starts a stage", { status: "implementing", work }, { do: "stage", place: "coder", loop: null }],
  ["resumes a loop", { status: "testing", work, at: "tester", loop: "l" }, { do: "stage", place: "tester", loop: "l" }],
  ["resolves conflicts", { status: "qa", work, at: "conflict" }, { do: "stage", place: "conflict", loop: null }],
  ["merges", { status: "qa", work, at: "merge" }, { do: "merge" }],
  ["moves the target to its commit", { status: "qa", work, at: "merge", candidate }, { do: "move", ...candidate }],
  ["rests when it is done", { status: "done", work, at: "merge" }, { do: "rest", as: "done" }],
  ["rests when it is blocked", { status: "blocked", work }, { do: "rest", as: "blocked" }],
  ["rests when it is cancelled", { status: "cancelled", work }, { do: "rest", as: "cancelled" }],
  ["rests when the user holds it, in any status", { status: "qa", work, held: true }, { do: "rest", as: "held" }],
  ["rests after a failure", { status: "todo", work }, { do: "rest", as: "failed" }],
])("%s", (_name, state, decision) => {
  expect(decideTask({ ...NEW_TASK, ...state })).toEqual(decision);
});

test("a status can stay unchanged, done is final, and only a merge reaches it", () => {
  for (const status of TASK_STATUSES) expect(canBecome(status, status)).toBe(true);
  expect(TRANSITIONS.done).toEqual([]);
  expect(TASK_STATUSES.filter((status) => status !== "done" && canBecome(status, "done"))).toEqual(["qa"]);
});

const loopIds = fc.constantFrom("l1", "l2");
const places = fc.constantFrom<LoopRole>(...AGENT_ROLES, "conflict");
const stages = fc
  .subarray<AgentRole>([...AGENT_ROLES])
  .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));
const limits = fc.record<TaskLimits>({
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  maxRounds: fc.integer({ min: 0, max: 3 }),
});
const findings = fc.array(fc.constantFrom("one", "two"), { maxLength: 2 });
const stageEnded = fc.record<StageEnded>({
  type: fc.constant("stage.ended"),
  place: places,
  loop: loopIds,
  reason: fc.oneof(
    fc.constantFrom(...STOP_REASONS),
    fc.constant("verified" as const),
    fc.constant("faults-found" as const),
  ),
  detail: fc.constant("detail"),
  iterations: fc.nat(9),
  findings,
  lastOutput: fc.constant("output"),
  fingerprints: fc.constantFrom(null, { "check.sh": "2" }),
});
const by = fc.constant("me");
const events = fc.oneof<fc.Arbitrary<TaskEvent>[]>(
  fc.record({ type: fc.constant("task.taken" as const), execution: fc.constant("e"), stages, limits }),
  fc.constant({ type: "work.prepared", work, fingerprints: { "check.sh": "1" } }),
  fc.record({ type: fc.constant("stage.began" as const), place: places, loop: loopIds }),
  stageEnded,
  fc.record({
    type: fc.constant("work.updated" as const),
    onto: fc.constant("o"),
    head: fc.constant("h"),
    conflicts: fc.constantFrom([], ["a.ts"]),
    fingerprints: fc.constant({}),
  }),
  fc.record({ type: fc.constant("merge.refused" as const), findings }),
  fc.constant({ type: "merge.proven", ...candidate }),
  fc.constant({ type: "task.merged", commit: "c" }),
  fc.constant({ type: "merge.waits", why: "dirty" }),
  fc.constant({ type: "task.blocked", why: "why" }),
  fc.record({ type: fc.constantFrom("task.cancelled" as const, "task.retried" as const, "task.dropped" as const), by }),
);

/** Like a store: an invalid transition is refused. */
const taken = (s: TaskState, event: TaskEvent): TaskState => {
  const next = reduceTask(s, event);
  return canBecome(s.status, next.status) ? next : s;
};

/** Invariants of every state. */
function expectSound(s: TaskState): void {
  expect(s.blocked !== null).toBe(s.status === "blocked");
  expect(s.merged !== null || s.status !== "done").toBe(true);
  expect(!s.held || s.status === "todo").toBe(true);
  expect(s.loop === null || !["blocked", "cancelled"].includes(s.status)).toBe(true);
  expect(s.attempt).toBeLessThanOrEqual(s.limits.maxAttempts);
  expect(s.rounds).toBeLessThanOrEqual(s.limits.maxRounds + 1);
}

test("after any entries, the state of a task is valid and bounded", () => {
  fc.assert(
    fc.property(limits, fc.array(events, { maxLength: 40 }), (bounds, past) => {
      let state: TaskState = { ...NEW_TASK, limits: bounds };
      for (const event of past) {
        const next = taken(state, event.type === "task.taken" ? { ...event, limits: bounds } : event);
        expectSound(next);
        expect(state.status !== "done" || next.status === "done").toBe(true);
        state = next;
      }
    }),
  );
});

/** The world's answer to a decision. */
function* outcomes(decision: TaskDecision, answers: () => number): Generator<TaskEvent> {
  const of = <T>(...choices: T[]): T => choices[answers() % choices.length] as T;
  if (decision.do === "prepare") yield { type: "work.prepared", work, fingerprints: {} };
  if (decision.do === "stage") {
    const { place } = decision;
    yield { type: "stage.began", place, loop: "l" };
    const reason = of<StageEnded["reason"]>(
      "verified",
      "verified",
      place === "coder" ? "stuck" : "faults-found",
      "iteration-limit",
    );
    const told = { detail: "", iterations: 1, lastOutput: "", fingerprints: null };
    yield { type: "stage.ended", place, loop: "l", reason, findings: ["fault"], ...told };
  }
  if (decision.do === "merge") {
    yield { type: "work.updated", onto: "o", head: "h", conflicts: of<string[]>([], [], ["a.ts"]), fingerprints: {} };
    yield of<TaskEvent>({ type: "merge.proven", ...candidate }, { type: "merge.refused", findings: ["red"] });
  }
  if (decision.do === "move")
    yield of<TaskEvent>({ type: "task.merged", commit: "c" }, { type: "merge.waits", why: "dirty" });
}

/** Every state of a task that is driven as decided until it rests for good or the answers are used up. */
function* worked(stagesWanted: readonly AgentRole[], bounds: TaskLimits, answers: Iterator<number>) {
  let state = NEW_TASK;
  let answered = true;
  const answer = () => {
    const { value, done } = answers.next();
    answered = !done;
    return value ?? 0;
  };
  while (answered && (state.status === "todo" || decideTask(state).do !== "rest")) {
    const taking: TaskEvent = { type: "task.taken", execution: "e", stages: stagesWanted, limits: bounds };
    for (const event of state.status === "todo" ? [taking] : outcomes(decideTask(state), answer)) {
      // A target merged with conflicts is not proven.
      if (event.type.startsWith("merge.") && state.at !== "merge") continue;
      const before = state;
      state = reduceTask(state, event);
      yield { event, before, state };
    }
  }
}

test("a task driven as decided comes to rest after a bounded number of loops, by allowed steps only", () => {
  fc.assert(
    fc.property(limits, stages, fc.infiniteStream(fc.nat(11)), (bounds, wanted, answers) => {
      const steps = [...worked(wanted, bounds, answers.take(2_000))];
      for (const { event, before, state } of steps) {
        expect(canBecome(before.status, state.status), `${before.status} → ${state.status}: ${event.type}`).toBe(true);
      }
      const loops = steps.filter(({ event }) => event.type === "stage.began" && event.place !== "conflict");
      expect(loops.length).toBeLessThanOrEqual(bounds.maxAttempts * (bounds.maxRounds + 1) * AGENT_ROLES.length);
      expect(["done", "blocked"]).toContain(steps.at(-1)?.state.status);
    }),
  );
});
