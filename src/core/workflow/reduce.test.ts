import { expect, test } from "vitest";
import {
  aCommand,
  aLoop,
  aStep,
  partBegan,
  partEnded,
  runEnded,
  runStarted,
  runTaken,
  together,
} from "../../../test/support/workflow.ts";
import { NO_USAGE } from "../usage.ts";
import type { AgentSession, RunEvent } from "./events.ts";
import { foldRun, reduceRun } from "./reduce.ts";
import { NEW_RUN, type RunState } from "./state.ts";
import type { Part } from "./workflow.ts";

const after = (parts: readonly Part[], events: readonly RunEvent[]): RunState =>
  foldRun([runStarted(parts), ...events].map((event) => ({ event })));

const NOT_BEGUN = { attempt: 0, loop: null, ended: null };
const session = (id: string): AgentSession => ({ id, usage: NO_USAGE, agent: "claude" });
const [plan, build, check] = [aStep("plan"), aStep("build"), aCommand("check")];
const loop = aLoop("work");
const both = together("reviews", aStep("a", { retry: { attempts: 1, delayMs: 5 } }), aStep("b"));
const failed = (part: number, more = {}) => partEnded(part, { is: "failed", reason: "agent-failed", ...more });
const said = (id: string) => [partBegan(0), partEnded(0, { session: session(id) })];
const iteration = (part: number, n: number): RunEvent => ({ type: "iteration.began", part, n, maxIterations: 5 });
const spent = { inputTokens: 1, cachedTokens: 2, outputTokens: 3, costUsd: 0.5 };

test.each<[string, Part[], RunEvent[], Partial<RunState>]>([
  ["is queued at its first part", [plan], [], { status: "queued", part: 0, lanes: [NOT_BEGUN] }],
  ["has a lane for each of the parallel steps", [both], [], { lanes: [NOT_BEGUN, NOT_BEGUN] }],
  ["runs once a driver has taken it", [plan], [runTaken], { status: "running" }],
  ["has a current loop", [plan], [partBegan(0)], { lanes: [{ attempt: 1, loop: "l001", ended: null }] }],
  [
    "continues with the next part when one is done",
    [plan, build],
    said("s1"),
    { part: 1, lanes: [NOT_BEGUN], session: session("s1"), outputs: { plan: "said in 0" } },
  ],
  ["has no current part once all are done", [plan], said("s1"), { part: 1, lanes: [], status: "queued" }],
  [
    "stays at a part that failed",
    [plan, build],
    [partBegan(0), failed(0)],
    { part: 0, lanes: [{ attempt: 1, loop: "l001", ended: failed(0) }], outputs: {} },
  ],
  [
    "keeps the cost of a failed attempt for the session that the next one continues, and for no other",
    [plan, build],
    [
      ...said("s1"),
      partBegan(1),
      failed(1, { session: { ...session("s1"), usage: spent } }),
      partBegan(1, 0, 2),
      failed(1, { attempt: 2, session: session("s2") }),
    ],
    { session: { ...session("s1"), usage: spent } },
  ],
  [
    "waits for the user until it is resumed",
    [plan],
    [partBegan(0), { type: "run.paused", why: "blocked", waits: true }],
    { status: "interrupted", detail: "blocked", waits: true },
  ],
  [
    "starts another attempt after a failure",
    [plan],
    [partBegan(0), failed(0), partBegan(0, 0, 2)],
    { lanes: [{ attempt: 2, loop: "l002", ended: null }] },
  ],
  [
    "waits for all lanes",
    [both, plan],
    [partBegan(0), partBegan(0, 1), partEnded(0, { lane: 1, output: "b" })],
    { part: 0, outputs: {} },
  ],
  [
    "keeps the output of each lane, in any order of their ends",
    [both, plan],
    [
      partBegan(0),
      partBegan(0, 1),
      partEnded(0, { lane: 1, output: "from b", session: session("sb") }),
      partEnded(0, { output: "from a", session: session("sa") }),
    ],
    { part: 1, outputs: { a: "from a", b: "from b" }, session: null },
  ],
  [
    "keeps the session of a step over commands and parallel steps",
    [plan, check, both, build],
    [
      ...said("s1"),
      partBegan(1, 0, 1, null),
      partEnded(1, { reason: null }),
      partBegan(2),
      partBegan(2, 1),
      partEnded(2, { session: session("sa") }),
      partEnded(2, { lane: 1, session: session("sb") }),
    ],
    { part: 3, session: session("s1") },
  ],
  [
    "keeps it if a step had none",
    [plan, build],
    [...said("s1"), partBegan(1), partEnded(1)],
    { session: session("s1") },
  ],
  [
    "uses that of the last step",
    [plan, loop],
    [...said("s1"), partBegan(1), partEnded(1, { session: session("s2") })],
    { session: session("s2") },
  ],
  [
    "does not restore the old one after a step that cleared the context",
    [plan, aStep("anew", { fresh: true })],
    [...said("s1"), partBegan(1), partEnded(1)],
    { session: null },
  ],
  [
    "merges the kept outputs",
    [loop],
    [partBegan(0), iteration(0, 1), iteration(0, 2), partEnded(0, { output: "the end" })],
    { metadata: { iteration_count: 2, max_iterations: 5, last_output: "the end" } },
  ],
  [
    "counts the cost of every attempt",
    [plan],
    [partBegan(0), failed(0, { spent }), partBegan(0, 0, 2), partEnded(0, { attempt: 2, spent })],
    { spent: { inputTokens: 2, cachedTokens: 4, outputTokens: 6, costUsd: 1 } },
  ],
  [
    "can be left and resumed",
    [plan],
    [runTaken, partBegan(0), { type: "run.paused", why: "Ctrl-C" }],
    { status: "interrupted", detail: "Ctrl-C", lanes: [{ attempt: 1, loop: "l001", ended: null }] },
  ],
  [
    "forgets why it was left",
    [plan],
    [runTaken, { type: "run.paused", why: "Ctrl-C" }, runTaken],
    { status: "running", detail: "" },
  ],
  ["ends", [plan], [runTaken, runEnded("failed", "no")], { status: "failed", detail: "no" }],
  ["counts dropped messages", [plan], [{ type: "messages.dropped", count: 2 }], { dropped: 2 }],
])("%s", (_name, parts, events, state) => {
  expect(after(parts, events)).toMatchObject(state);
});

const begun = [runTaken, partBegan(0)];
test.each<[string, RunEvent[], RunEvent]>([
  ["another start", begun, runStarted([check], { message: "another" })],
  ["a finished part", [...begun, partEnded(0)], partEnded(0, { output: "late" })],
  ["a part that is not reached", begun, partBegan(1)],
  ["the end of a part that is not reached", begun, partEnded(1)],
  ["an unknown lane", begun, partBegan(0, 3)],
  ["the end of an unknown lane", begun, partEnded(0, { lane: 3 })],
  ["a second loop for the same attempt", begun, partBegan(0, 0, 1, "another")],
  ["the next attempt of a lane that has not failed", begun, partBegan(0, 0, 2)],
  ["an attempt that skips one", [...begun, failed(0)], partBegan(0, 0, 3)],
  ["the end of an earlier attempt", [...begun, failed(0), partBegan(0, 0, 2)], partEnded(0)],
  ["the end of an attempt that has not started", [runTaken], partEnded(0)],
  ["a second end", [...begun, failed(0)], partEnded(0)],
  ["iterations of another part", begun, iteration(1, 7)],
])("%s changes nothing", (_name, past, late) => {
  const state = after([plan, build], past);
  expect(reduceRun(state, late)).toBe(state);
});

test.each(["completed", "failed", "cancelled"] as const)("%s is final, except for dropped messages", (status) => {
  const state = after([plan, build], [...begun, runEnded(status)]);
  const later = [runTaken, partBegan(0), partEnded(0), iteration(0, 1), runEnded("failed"), runEnded("completed")];
  for (const event of [...later, { type: "run.paused", why: "" } as const]) expect(reduceRun(state, event)).toBe(state);
  expect(reduceRun(state, { type: "messages.dropped", count: 1 })).toEqual({ ...state, dropped: 1 });
});

test("a fold can continue from a stored state", () => {
  const events = [runStarted([both, loop]), ...begun, partEnded(0), partBegan(0, 1), partEnded(0, { lane: 1 })];
  const entries = events.map((event) => ({ event }));
  for (const [i] of entries.entries()) {
    const kept: RunState = JSON.parse(JSON.stringify(foldRun(entries.slice(0, i))));
    expect(foldRun(entries.slice(i), kept)).toEqual(foldRun(entries));
  }
  expect(foldRun([])).toBe(NEW_RUN);
});

test("protected files are recorded once, and changed only by the current command, whose first snapshot counts", () => {
  const records: RunEvent = { type: "run.protected", records: { 1: "a", 2: "b" } };
  const watched = { type: "command.watched", part: 1, before: "x", foreign: [] } as const;
  const accepted: RunEvent = { type: "command.accepted", part: 1, records: { 2: "c" } };
  const began = [...said("s1"), records, watched];
  const parts = [plan, check, loop];
  expect(after(parts, [records, { ...records, records: {} }]).records).toEqual({ 1: "a", 2: "b" });
  expect(after(parts, began).watched).toEqual({ ...watched, records: { 1: "a", 2: "b" } });
  const again = after(parts, [...began, accepted, { ...watched, before: "y" }]);
  expect(again.records).toEqual({ 1: "a", 2: "c" });
  expect(again.watched).toMatchObject({ before: "x", records: { 2: "b" } });
  expect(after(parts, [records, watched, accepted])).toMatchObject({ records: { 2: "b" }, watched: null });
});
