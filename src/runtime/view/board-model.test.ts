import { expect, test } from "vitest";
import { someTask } from "../../../test/support/task.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { MOST_LOOPS, NO_VIEW } from "../../core/view/board.ts";
import type { TaskRows } from "../../core/view/rows.ts";
import { clean, leasesOf, noFacts, takeJournals, viewAfter } from "./board-model.ts";

const loop = (n: number, facts: Partial<LoopSummary> = {}): LoopSummary => ({
  ...{ id: `l${n}`, door: "harness", title: "x", part: null, run: null, cwd: "/w", iteration: 1, maxIterations: 9 },
  ...{ status: "stopped", reason: "verified", detail: "", costUsd: 0, tokens: 0, waitUntilMs: null, proved: null },
  ...{ createdAtMs: n, updatedAtMs: n, holder: "", host: null, driver: "engine", sessionId: null },
  ...facts,
});

const { description: _, metadata: __, completionSpec: ___, ...written } = someTask("T-1");
const task = { ...written, status: "blocked" as const, held: false, proof: null, iteration: 1, loop: "l1" };
const rows: TaskRows = { tasks: [{ ...task, createdAtMs: 1, updatedAtMs: 1 }], told: [], mark: "" };

test("of very many loops only those are kept that are open, shown, or a task's current one", () => {
  const facts = noFacts();
  let view = NO_VIEW;
  const take = (loops: LoopSummary[], tasks: TaskRows | null = null) => {
    const dirty = clean();
    takeJournals(facts, { at: facts.at + 1, subjects: [], loops, spent: new Map(), newUsd: 0, tasks }, dirty);
    view = viewAfter(view, facts, { dirty, subjects: [] })?.view ?? view;
  };
  const own = { part: { task: "T-1", place: "coder" as const } };
  take([loop(1, own), loop(2), loop(3, { status: "running", reason: null })], rows);
  for (let n = 4; n <= 2 * MOST_LOOPS; n++) take([loop(n)]);
  expect(view.loops).toHaveLength(MOST_LOOPS + 1);
  expect(facts.loops.size).toBe(MOST_LOOPS + 2);
  expect(["l1", "l2", "l3"].map((id) => facts.loops.has(id))).toEqual([true, false, true]);
  expect(leasesOf(facts).map(({ kind, id }) => `${kind}/${id}`)).toContain("loop/l3");
  // An entry of one that was dropped: it is older than those that are shown, until it is open again.
  take([loop(2)]);
  expect([facts.loops.has("l2"), view.loops.some(({ id }) => id === "l2")]).toEqual([false, false]);
  take([loop(2, { status: "running", reason: null })]);
  expect([facts.loops.has("l2"), view.loops.some(({ id }) => id === "l2")]).toEqual([true, true]);
});
