import { expect, test } from "vitest";
import { someVerified } from "../../../../test/support/receipts.ts";
import { stripAnsi } from "../../../core/ansi.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import { reduce } from "../../../core/loop/reduce.ts";
import { START } from "../../../core/loop/state.ts";
import type { Level } from "../../../core/proof/level.ts";
import { endLines, endWords, markOf } from "./end-lines.ts";

const stopped = { reason: "iteration-limit", detail: "2 of 2" } as const;
const spent = { inputTokens: 900, cachedTokens: 0, outputTokens: 100, costUsd: 1.5 };

test("shows the reason, the cost, the next step, and failed effects", () => {
  const failed = new Map([
    ["push", "no\nremote"],
    ["tag nightly", "exists"],
  ]);
  expect(
    endLines(
      "3f2a",
      { ...START, n: 2, activeMs: 61_000, spent, stopped },
      { failedEffects: failed, receipt: null },
    ).map(stripAnsi),
  ).toEqual([
    "■ iteration-limit: 2 of 2 (2 iterations, 1m 1s, $1.50, 1000 tokens)",
    "  next: ralph resume 3f2a -m 20",
    "  look: ralph why 3f2a · ralph logs 3f2a",
    "  a push failed: no remote",
    "  a tag nightly failed: exists",
  ]);
});

test("a verified loop shows where its receipt is", () => {
  const state = { ...START, n: 1, stopped: { reason: "verified", detail: "1 of 1 checks pass" } } as const;
  expect(
    endLines("3f2a", state, { failedEffects: new Map(), receipt: ".ralph/receipts/3f2a.json" }).map(stripAnsi),
  ).toEqual([
    "✓ verified: 1 of 1 checks pass (1 iteration, 0ms)",
    "  receipt: .ralph/receipts/3f2a.json",
    "  look: ralph why 3f2a · ralph logs 3f2a",
  ]);
});

test.each<[Level, string[], string[]]>([
  ["verified", [], ["✓ verified: it holds"]],
  [
    "verified",
    ["2 test files changed: ralph diff --tests"],
    ["✓ verified (2 test files changed: ralph diff --tests): it holds"],
  ],
  ["judged", [], ["✓ judged: it holds"]],
  [
    "still-green",
    ["a", "b\n"],
    [
      "~ still-green (a; b): it holds",
      '  still-green: every check passes, as before the work: that proves nothing new; add --verify "<command>" that fails until the work is done',
    ],
  ],
  [
    "promise-only",
    ["judge unavailable"],
    [
      "? promise-only (judge unavailable): it holds",
      '  promise-only: only the agent\'s word says that it is done; add --verify "<command>" so that proof ends the loop',
    ],
  ],
])("a loop ends with its level, its weaknesses and what would help: %s %j", (proof, weak, lines) => {
  const state = someVerified({ verdict: { proof, weak } }).reduce(reduce, START);
  const told = endLines("3f2a", state, { failedEffects: new Map(), receipt: null }).map(stripAnsi);
  expect(told.slice(0, -1).map((line) => line.replace(/ \([^()]*\)$/, ""))).toEqual(lines);
});

test.each<[StopReason, string]>([
  ["finished", "✓ finished"],
  ["no-work", "■ no-work"],
  ["promise-only", "? promise-only"],
])("the mark of %s", (reason, mark) => {
  expect(stripAnsi(markOf(reason))).toBe(mark);
  expect(stripAnsi(endWords(reason, ["x"]))).toBe(`${reason} (x)`);
});
