import { expect, test } from "vitest";
import { gitEffect } from "../../test/support/spec.ts";
import type { Entry, LoopEvent } from "./loop/events.ts";
import { NO_USAGE } from "./usage.ts";
import { attemptsOf, type ExplainedAttempt } from "./why.ts";

const usage = NO_USAGE;
const began = (n: number, attempt = 1): LoopEvent => ({
  type: "turn.began",
  n,
  attempt,
  agent: 0,
  runToken: "t",
  log: null,
  nonce: null,
});
const ended = (n: number, claimed: boolean): LoopEvent => ({
  type: "turn.ended",
  n,
  attempt: 1,
  claim: claimed ? { text: "DONE", tag: "promise", start: 0, end: 1, quote: "q" } : null,
  doubts: [],
  blocked: null,
  failed: null,
  refused: null,
  usage,
  sessionId: null,
  sessionUsage: null,
  source: "text",
  tools: null,
  model: null,
});
const judged = (n: number, is: "pass" | "fail"): LoopEvent => ({
  type: "claim.judged",
  n,
  try: 1,
  verdict: { is, reason: "npm test: exit code 1", checks: [] },
  usage,
});
const red: LoopEvent = {
  type: "guards.ended",
  n: 2,
  results: [
    { name: "lint", command: "lint", is: "fail", code: 1, reason: "exit code 1", excerpt: "", log: null, ms: 1 },
  ],
};

async function explain(...events: LoopEvent[]): Promise<ExplainedAttempt[]> {
  async function* entries(): AsyncGenerator<Entry> {
    yield* events.map((event, i) => ({ loop: "l", seq: i + 1, epoch: 1, atMs: i, event }));
  }
  const told: ExplainedAttempt[] = [];
  for await (const explained of attemptsOf(entries())) if (explained.is === "attempt") told.push(explained);
  return told;
}

test("shows every attempt with the decision that followed it", async () => {
  const told = await explain(
    began(1),
    { type: "turn.voided", n: 1, attempt: 1, why: "rate-limited", detail: "", retryAtMs: 1, usage },
    began(1, 2),
    { ...ended(1, false), attempt: 2 } as LoopEvent,
    began(2),
    ended(2, true),
    red,
    began(3),
    ended(3, true),
    judged(3, "fail"),
    began(4),
    ended(4, true),
    { type: "effect.intended", key: "4/0", effect: gitEffect("commit", "guarded"), before: "" },
    { type: "effect.settled", key: "4/0", is: "done", detail: "sha", usage },
    judged(4, "pass"),
    { type: "loop.stopped", reason: "verified", detail: "1 of 1" },
  );
  expect(told.map(({ n, attempt, decision }) => [n, attempt, decision])).toEqual([
    [1, 1, "continued: the environment failed (rate-limited); the same iteration runs again"],
    [1, 2, "continued: no claim"],
    [2, 1, "continued: vetoed by guardrail lint"],
    [3, 1, "continued: claim not proven: npm test: exit code 1"],
    [4, 1, "stopped: verified (1 of 1)"],
  ]);
  expect(told[4]?.effects).toEqual([{ kind: "commit", is: "done", detail: "sha" }]);
});

test("says if nothing is decided yet", async () => {
  expect((await explain(began(1)))[0]?.decision).toBe("not decided yet");
});
