import { expect, test } from "vitest";
import { began, ended, prepared, someTask, taken } from "../../../test/support/task.ts";
import type { LoopSummary } from "../loop/store.ts";
import type { LoopPulse } from "../pulse.ts";
import type { TaskEvent } from "../task/events.ts";
import { reduceTask } from "../task/reduce.ts";
import { NEW_TASK } from "../task/state.ts";
import type { TaskSummary } from "../task/store.ts";
import { type Card, cardOf } from "./card.ts";

const loop = (facts: Partial<LoopSummary> = {}): LoopSummary => ({
  id: "l1",
  door: "pipeline",
  title: "T-1",
  part: { task: "T-1", place: "coder" },
  run: null,
  cwd: "/w",
  status: "running",
  reason: null,
  detail: "",
  iteration: 3,
  maxIterations: 15,
  costUsd: 0.5,
  tokens: 100,
  waitUntilMs: null,
  proved: { proved: 5, of: 7 },
  createdAtMs: 1_000,
  updatedAtMs: 2_000,
  holder: "pid 1 on here",
  host: null,
  driver: "engine",
  sessionId: null,
  ...facts,
});

const pulse: LoopPulse = {
  agent: "claude",
  model: "opus",
  turnBeganMs: 1_500,
  doing: { kind: "tool", text: "Bash npm test", sinceMs: 1_600 },
  heardMs: 1_700,
  costUsd: 0.25,
  tokens: 11,
};

interface Case {
  events?: readonly TaskEvent[];
  task?: Partial<TaskSummary>;
  loop?: LoopSummary | null;
  pulse?: LoopPulse | null;
  driven?: boolean;
  waitsFor?: readonly string[];
}

function card({ events = [], task = {}, loop = null, pulse = null, driven = false, waitsFor = [] }: Case): Card {
  const state = events.length > 0 ? events.reduce(reduceTask, NEW_TASK) : null;
  const { held = false, status = "todo", proof = null } = state ?? {};
  const { description: _, metadata: __, completionSpec: ___, ...written } = someTask("T-1", { title: "Log in" });
  const row = { ...written, status, held, proof, iteration: 0, createdAtMs: 100, updatedAtMs: 200, loop: null };
  const spent = { costUsd: 1, tokens: 1_000 };
  return cardOf({ task: { ...row, ...task }, state, loop, pulse, spent, driven, waitsFor });
}

const atWork = [taken, prepared, began("coder", "l1")];
const blocked: TaskEvent = { type: "task.blocked", why: "no\u001b[31m remote" };

test.each<[string, Case, Partial<Card>]>([
  ["a ready task", {}, { lane: "todo", badge: "ready", tone: "plain", why: "" }],
  ["a task that waits for another", { waitsFor: ["T-0"] }, { lane: "todo", badge: "after T-0", tone: "dim" }],
  [
    "a held task",
    { events: [...atWork, { type: "task.cancelled", by: "you" }] },
    { lane: "todo", badge: "held", tone: "warn" },
  ],
  [
    "a proposed task",
    { events: [{ type: "task.proposed", by: "claude" }] },
    { lane: "todo", badge: "proposed", why: "by claude" },
  ],
  ["a cancelled task has no lane", { task: { status: "cancelled" } }, { lane: null, badge: "cancelled", tone: "dim" }],
  [
    "a running stage",
    { events: atWork, loop: loop(), driven: true },
    { lane: "implementing", badge: "🔄 Coder (3/15)" },
  ],
  [
    "a stage without a limit",
    { events: atWork, loop: loop({ maxIterations: null }), driven: true },
    { badge: "🔄 Coder (3)", tone: "active" },
  ],
  [
    "a stage that waits for a usage limit",
    { events: atWork, loop: loop({ status: "waiting", detail: "rate-limited", waitUntilMs: 9_000 }), driven: true },
    { badge: "⏳ Coder (3/15)", tone: "warn", why: "rate-limited", waitUntilMs: 9_000 },
  ],
  [
    "an interrupted stage",
    { events: [...atWork, { type: "task.left", why: "Ctrl-C" }], loop: loop() },
    { badge: "⏸ Coder (3/15)", tone: "warn", why: "Ctrl-C", driven: false },
  ],
  [
    "a merge that waits",
    {
      events: [taken, prepared, began("qa", "q"), ended("qa", "q", "verified"), { type: "merge.waits", why: "dirty" }],
      driven: true,
    },
    { lane: "qa", badge: "⏳ Merge", why: "dirty", place: "merge" },
  ],
  [
    "a blocked task, without control characters",
    { events: [...atWork, blocked], loop: loop({ status: "stopped", reason: "blocked" }) },
    { lane: "blocked", badge: "blocked", tone: "bad", why: expect.not.stringContaining("\u001b"), doing: null },
  ],
  [
    "a proven task",
    { task: { status: "done", proof: "verified" } },
    { lane: "done", badge: "✓ verified", tone: "good" },
  ],
  ["a weak proof", { task: { status: "done", proof: "promise-only" } }, { badge: "? promise-only", tone: "warn" }],
  ["a task of an earlier version", { task: { status: "done" } }, { badge: "done", tone: "good" }],
])("%s", (_name, facts, expected) => {
  expect(card(facts)).toMatchObject(expected);
});

test("what a driver reports is shown and counted only while the loop is driven", () => {
  const facts = { events: atWork, loop: loop(), pulse };
  expect(card({ ...facts, driven: true })).toMatchObject({
    doing: { text: "Bash npm test" },
    agent: "claude",
    model: "opus",
    sinceMs: 1_000,
    costUsd: 1.25,
    tokens: 1_011,
    proved: { proved: 5, of: 7 },
  });
  expect(card(facts)).toMatchObject({ doing: null, agent: "", sinceMs: 200, costUsd: 1, tokens: 1_000 });
});

test("a title of any length is one line that every face can show, and says that it was cut", () => {
  const { title } = card({ task: { title: `Log\nin\u001b[2J ${"x".repeat(1_000_000)}` } });
  expect(title).toMatch(/^Log in x+…$/);
  expect(title.length).toBe(500);
});
