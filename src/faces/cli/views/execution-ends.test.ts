import { expect, test } from "vitest";
import { stripAnsi } from "../../../core/ansi.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import type { ExecutionEnd } from "../../../doors/pipeline/execution-end.ts";
import { finishedFacts } from "../../../doors/pipeline/finished.ts";
import { executionEndLines } from "./execution-ends.ts";

const end = (more: Partial<ExecutionEnd> = {}): ExecutionEnd => ({
  ...{ execution: "ab12", stopped: null, tasks: {}, proofs: {}, counts: {}, left: [], changed: [], weakened: [] },
  ...{ spent: NO_USAGE, ms: 61_000, failure: null },
  ...more,
});
const linesOf = (of: ExecutionEnd, strict = false): string[] => executionEndLines(of, strict).map(stripAnsi);
const ids = (n: number) => Array.from({ length: n }, (_, i) => `T-${i + 1}`);
const stuck = (task: string, why: string) => ({ task, why, stuck: true as const });

const night = end({
  tasks: { A: "done", B: "done", "T-1": "blocked" },
  proofs: { A: "verified", B: "promise-only" },
  weakened: ["A"],
  counts: { done: 2, blocked: 10, proposed: 1 },
  left: ids(10).map((id) => stuck(id, `blocked: see tasks/${id}/setup.log`)),
  spent: { ...NO_USAGE, costUsd: 4.5, inputTokens: 100 },
});

test("the end names equal reasons once, what is weak, and what to do", () => {
  expect(linesOf(night)).toEqual([
    "■ 10 not done: 2 done, 10 blocked, 1 proposed (1m 1s, $4.50, 100 tokens)",
    "  merged 2, ✓ 1 verified, ? 1 promise-only (1 weakened: A)",
    "  T-1, T-2, T-3, T-4, T-5, T-6, T-7, T-8, T-9, T-10 blocked: see tasks/…/setup.log",
    "  next: ralph why T-1 · ralph execute --task T-1 tries it again · ralph task list --status proposed (1 wait until you accept them) · ralph report",
  ]);
});

test("it has at most twelve lines, however much there is to say", () => {
  const changed = ids(30).map((task) => ({ task, what: "title" }));
  const left = ids(20).map((id, i) => stuck(id, `blocked: reason ${i}`));
  const lines = linesOf(end({ ...night, left, changed, stopped: { as: "budget", by: "cost" } } as never), true);
  expect(lines).toHaveLength(12);
  expect(lines).toContain("  … and 14 tasks more: ralph task list");
});

test("all done is said as such", () => {
  expect(linesOf(end({ tasks: { A: "done" }, proofs: { A: "verified" }, counts: { done: 1 } }))).toEqual([
    "✓ all done: 1 done (1m 1s)",
    "  merged 1, ✓ 1 verified",
    "  next: ralph report",
  ]);
});

test("the notification has the same in parts, and a bounded text that addresses nobody", () => {
  const facts = finishedFacts(night, { cwd: "/w" });
  expect(facts).toMatchObject({
    ...{ notice: "finished", execution: "ab12", cwd: "/w", reason: "left", costUsd: 4.5, tokens: 100, ms: 61_000 },
    merged: [
      { task: "A", proof: "verified", weakened: true },
      { task: "B", proof: "promise-only", weakened: false },
    ],
    open: [{ tasks: ids(10), why: "blocked: see tasks/…/setup.log" }],
    text: "ralph execute finished: 2 merged (2 weak), 10 blocked, 1 proposed (1m 1s, $4.50). T-1, T-2, T-3 and 7 more: blocked: see tasks/…/setup.log. next: ralph report · ralph execute",
  });
  const left = ids(20).map((id, i) => stuck(id, `${i} @all <!channel> ${"x".repeat(10_000)}\n\u001b[31m`));
  const large = finishedFacts(end({ left, counts: { blocked: 20 } }), { cwd: "/w", error: "broken\n\u001b[31m" });
  expect(large.text.length).toBeLessThan(900);
  expect(large.text).not.toMatch(/\n|\u001b|<!channel>/);
  expect(large).toMatchObject({ reason: "error", detail: "broken" });
  expect(JSON.stringify(large).length).toBeLessThan(20_000);
});

test.each<[string, Partial<ExecutionEnd>, string]>([
  ["done", { counts: { done: 1, proposed: 1, cancelled: 1 } }, "done"],
  ["left", { counts: { done: 1, todo: 1 } }, "left"],
  ["a budget", { counts: { todo: 1 }, stopped: { as: "budget", by: "x" } }, "budget"],
])("the reason of the notification: %s", (_name, more, reason) => {
  expect(finishedFacts(end(more), { cwd: "/w" }).reason).toBe(reason);
});
