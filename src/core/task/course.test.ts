import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import type { StopReason } from "../loop/events.ts";
import { STOP_REASONS } from "../loop/stop-reasons.ts";
import { canBecome, decideTask, type TaskDecision } from "./decide.ts";
import type { StageEnded, TaskEvent } from "./events.ts";
import { foldTask, reduceTask } from "./reduce.ts";
import { AGENT_ROLES, type AgentRole } from "./role.ts";
import type { TaskState } from "./state.ts";

/** Loops that stopped like this are resumed, or were stopped by the user. */
const NO_END = new Set<StopReason>(["interrupted", "budget", "auth", "agent-missing", "wait-limit", "cancelled"]);
const ENDS = STOP_REASONS.filter((reason) => !NO_END.has(reason));

/** A world with the state outside the journal, and scripted answers. */
interface World {
  journal: TaskEvent[];
  /** How a loop ended, by its name. */
  loops: Map<string, StopReason>;
  /** How often the task was merged into the target. */
  landed: number;
}

interface Step {
  /** Whether the driver dies before it records the result of its step. */
  dies: boolean;
  /** Whether the user cancels it, and whether the user retries it. */
  cancels: boolean;
  retries: boolean;
  reason: StopReason;
  merge: "conflicts" | "refused" | "proven" | "blocked" | "waits" | "outdated";
  stages: readonly AgentRole[];
}

const step: fc.Arbitrary<Step> = fc.record({
  dies: fc.boolean(),
  cancels: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
  retries: fc.boolean(),
  reason: fc.oneof(fc.constant<StopReason>("verified"), fc.constantFrom(...ENDS)),
  merge: fc.constantFrom("conflicts", "refused", "proven", "proven", "blocked", "waits", "outdated"),
  stages: fc.subarray([...AGENT_ROLES], { minLength: 1 }),
});

const LIMITS = { maxAttempts: 3, maxRounds: 3 };
const WORK = { branch: "task/A", target: "main", base: "b", worktree: "/w" };

test("after any events and crashes, a task comes to rest, and is merged at most once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const world: World = { journal: [], loops: new Map(), landed: 0 };
      for (const one of steps) live(world, one);
      // From here on everything succeeds: nothing may be stuck.
      const well: Step = {
        ...{ dies: false, cancels: false, retries: true },
        ...{ reason: "verified", merge: "proven", stages: AGENT_ROLES },
      };
      for (let i = 0; i < 40; i++) live(world, well);
      const { status } = foldTask(world.journal.map((event) => ({ event })));
      expect(["done", "blocked"]).toContain(status);
      expect(world.landed).toBe(status === "done" ? 1 : 0);
    }),
    { numRuns: runs(500) },
  );
});

test("without crashes, agents and merges are asked a bounded number of times", () => {
  fc.assert(
    fc.property(fc.infiniteStream(step), (steps) => {
      const world: World = { journal: [], loops: new Map(), landed: 0 };
      let asked = 0;
      for (const one of steps) {
        // Conflicts, waits and outdated targets have external causes: they may continue forever.
        const merge = one.merge === "proven" || one.merge === "refused" ? one.merge : "refused";
        live(world, { ...one, dies: false, cancels: false, merge, stages: AGENT_ROLES });
        const { status } = foldTask(world.journal.map((event) => ({ event })));
        if (status === "done" || status === "blocked") break;
        expect(++asked).toBeLessThan(200);
      }
    }),
    { numRuns: runs(200) },
  );
});

/** One pass over the task, as in an execution. */
function live(world: World, step: Step) {
  if (step.cancels && isBegun(stateOf(world))) note(world, { type: "task.cancelled", by: "a person" });
  if (step.retries && stateOf(world).held) note(world, { type: "task.retried", by: "a person" });
  const state = stateOf(world);
  if (state.held) return;
  if (state.status === "todo" || step.dies) note(world, taken(step.stages));
  const next = decideTask(stateOf(world));
  if (next.do !== "rest") perform(world, next, step);
}

const isBegun = ({ status }: TaskState): boolean => status !== "todo" && status !== "done" && status !== "blocked";
const taken = (stages: readonly AgentRole[]): TaskEvent => ({
  type: "task.taken",
  execution: "e",
  stages,
  limits: LIMITS,
});
const stateOf = ({ journal }: World): TaskState => foldTask(journal.map((event) => ({ event })));

function note(world: World, event: TaskEvent): void {
  const before = stateOf(world);
  if (before.status === "done" || before.status === "blocked") return;
  const after = reduceTask(before, event);
  expect([before.status, event.type, after.status, canBecome(before.status, after.status)]).toEqual([
    before.status,
    event.type,
    after.status,
    true,
  ]);
  world.journal.push(event);
}

type Write = (event: TaskEvent) => void;

function perform(world: World, next: Exclude<TaskDecision, { do: "rest" }>, step: Step): void {
  const write: Write = (event) => (step.dies ? undefined : note(world, event));
  if (next.do === "prepare") write({ type: "work.prepared", work: WORK, fingerprints: {} });
  else if (next.do === "stage") stage(world, next, step);
  else if (next.do === "merge") merge(step, write);
  else move(world, next.commit, step, write);
}

function move(world: World, commit: string, { merge: answer }: Step, write: Write): void {
  const isThere = world.landed > 0;
  if (!isThere && answer === "waits") write({ type: "merge.waits", why: "dirty" });
  else if (!isThere && answer === "outdated") write(updated([]));
  else {
    if (!isThere) world.landed++;
    write({ type: "task.merged", commit });
  }
}

function stage(world: World, { place, loop }: TaskDecision & { do: "stage" }, { dies, reason }: Step): void {
  const id = loop ?? `l${world.journal.length}`;
  if (loop === null) note(world, { type: "stage.began", place, loop: id });
  const ended = world.loops.get(id) ?? reason;
  // It may die before or after the end of the loop.
  if (!dies || reason !== "verified") world.loops.set(id, ended);
  if (!dies) note(world, endOf({ place, loop: id, reason: ended }));
}

const endOf = (end: Pick<StageEnded, "place" | "loop" | "reason">): StageEnded => ({
  type: "stage.ended",
  ...end,
  detail: "",
  iterations: 1,
  findings: ["a fault"],
  lastOutput: "",
  fingerprints: null,
});

const updated = (conflicts: readonly string[]): TaskEvent => ({
  type: "work.updated",
  onto: "o",
  head: "h",
  conflicts,
  fingerprints: {},
});

function merge({ merge: answer }: Step, write: Write): void {
  if (answer === "blocked") write({ type: "task.blocked", why: "git" });
  else write(updated(answer === "conflicts" ? ["a"] : []));
  if (answer === "refused") write({ type: "merge.refused", findings: ["red"] });
  if (answer === "proven" || answer === "waits") write({ type: "merge.proven", commit: "c", onto: "o" });
}
