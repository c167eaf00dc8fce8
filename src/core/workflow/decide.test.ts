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
import { decideRun, type LaneWork, type RunDecision } from "./decide.ts";
import type { PartEnded, RunEvent } from "./events.ts";
import { foldRun } from "./reduce.ts";
import { NEW_RUN } from "./state.ts";
import type { Part } from "./workflow.ts";

const twice = { retry: { attempts: 1, delayMs: 50 } };
const failed = (part: number, more: Partial<PartEnded> = {}) =>
  partEnded(part, { is: "failed", reason: "agent-failed", detail: "it broke", ...more });
const work = (part: number, ...lanes: Partial<LaneWork>[]): RunDecision => ({
  do: "work",
  part,
  lanes: lanes.map((lane) => ({ lane: 0, attempt: 1, loop: null, delayMs: 0, ...lane })),
});
const broken: RunDecision = { do: "end", status: "failed", detail: "it broke" };
const pair = together("pair", aStep("a", twice), aStep("b"));

test.each<[string, Part[], RunEvent[], RunDecision]>([
  ["begins", [aStep("a")], [], work(0, {})],
  ["resumes the started loop", [aStep("a")], [partBegan(0)], work(0, { loop: "l001" })],
  ["runs a started command again", [aCommand("a")], [partBegan(0, 0, 1, null)], work(0, {})],
  ["continues with the next part", [aStep("a"), aLoop("b")], [partBegan(0), partEnded(0)], work(1, {})],
  [
    "is completed when all parts are done",
    [aStep("a")],
    [partBegan(0), partEnded(0)],
    { do: "end", status: "completed", detail: "" },
  ],
  ["fails if a step failed", [aStep("a"), aStep("b")], [partBegan(0), failed(0)], broken],
  ["fails if a loop failed", [aLoop("a")], [partBegan(0), failed(0, { reason: "iteration-limit" })], broken],
  ["retries after a delay", [aStep("a", twice)], [partBegan(0), failed(0)], work(0, { attempt: 2, delayMs: 50 })],
  [
    "retries a command",
    [aCommand("a", twice)],
    [partBegan(0, 0, 1, null), failed(0, { reason: null })],
    work(0, { attempt: 2, delayMs: 50 }),
  ],
  [
    "does not wait again after the attempt has started",
    [aStep("a", twice)],
    [partBegan(0), failed(0), partBegan(0, 0, 2)],
    work(0, { attempt: 2, loop: "l002" }),
  ],
  [
    "fails when all attempts have",
    [aStep("a", twice)],
    [partBegan(0), failed(0), partBegan(0, 0, 2), failed(0, { attempt: 2 })],
    broken,
  ],
  ["does not retry without a login", [aStep("a", twice)], [partBegan(0), failed(0, { reason: "auth" })], broken],
  ["does not retry if it is blocked", [aStep("a", twice)], [partBegan(0), failed(0, { reason: "blocked" })], broken],
  ["starts parallel steps together", [pair], [], work(0, {}, { lane: 1 })],
  [
    "resumes the remaining lanes",
    [pair],
    [partBegan(0), partBegan(0, 1), partEnded(0)],
    work(0, { lane: 1, loop: "l011" }),
  ],
  [
    "lets the other lanes finish before it fails",
    [pair],
    [partBegan(0), partBegan(0, 1), failed(0, { lane: 1 })],
    work(0, { loop: "l001" }),
  ],
  [
    "retries one lane while another is done",
    [pair],
    [partBegan(0), partBegan(0, 1), partEnded(0, { lane: 1 }), failed(0)],
    work(0, { attempt: 2, delayMs: 50 }),
  ],
  [
    "fails when the last lane has ended",
    [pair, aStep("c")],
    [partBegan(0), partBegan(0, 1), failed(0, { lane: 1 }), partEnded(0)],
    broken,
  ],
  ["also continues after it was left", [aStep("a")], [runTaken, { type: "run.paused", why: "" }], work(0, {})],
  ["rests when it has ended", [aStep("a")], [runEnded("cancelled")], { do: "rest" }],
])("%s", (_name, parts, events, decision) => {
  expect(decideRun(foldRun([runStarted(parts), ...events].map((event) => ({ event }))))).toEqual(decision);
});

test("rests before it has started", () => {
  expect(decideRun(NEW_RUN)).toEqual({ do: "rest" });
});
