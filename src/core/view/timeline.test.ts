import { expect, test } from "vitest";
import { gitEffect, provedBy, someAgent, someSpec } from "../../../test/support/spec.ts";
import { claimJudged, turnBegan, turnEnded } from "../../../test/support/turns.ts";
import type { CheckResult, Entry, LoopEvent } from "../loop/events.ts";
import { NO_USAGE } from "../usage.ts";
import { attemptsOf } from "../why.ts";
import type { TimelineItem } from "./loop-page.ts";
import { checkLine, timelineItem } from "./timeline.ts";

const spec = someSpec({
  agents: [someAgent("claude"), someAgent("codex")],
  proof: provedBy(["npm test"], { acceptance: ["it logs in", "it is fast"] }),
});

const check = (name: string, is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ name, command: name, is, code: is === "pass" ? 0 : 1, excerpt: "", log: null, ms: 1 },
  reason: is === "pass" ? "exit code 0" : "exit code 1",
  ...more,
});

const FAILING = { "npm test": ["login \u001b[31mfails\u001b[0m", "logout fails"] };

async function items(...events: LoopEvent[]): Promise<TimelineItem[]> {
  async function* entries(): AsyncGenerator<Entry> {
    const all: LoopEvent[] = [{ type: "loop.started", spec, fingerprints: {} }, ...events];
    yield* all.map((event, i) => ({ loop: "l", seq: i + 1, epoch: 1, atMs: i * 1_000, event }));
  }
  const made: TimelineItem[] = [];
  for await (const explained of attemptsOf(entries()))
    if (explained.is === "attempt")
      made.push(timelineItem({ ...explained, failingTests: FAILING }, { spec, held: true, isLast: true }));
  return made;
}

/** Each phase as `name tone: words`. */
const phases = (item: TimelineItem | undefined): string[] =>
  (item?.phases ?? []).map(({ name, tone, words }) => `${name} ${tone}: ${words}`);

const tests = { ran: 14, passed: 12, failed: 2, skipped: 0 };
const usage = { ...NO_USAGE, inputTokens: 5, costUsd: 0.25 };

test("an iteration has its phases in the order in which they decide, with the tests that fail", async () => {
  const [item] = await items(
    turnBegan(1),
    turnEnded(1, {
      model: "opus",
      doubts: [{ is: "contradicted", rule: "tests-not-run", quote: "I did not run them", start: 0, end: 1 }],
    }),
    { type: "guards.ended", n: 1, results: [check("lint", "pass"), check("types", "pass")] },
    { type: "effect.intended", key: "1/0", effect: gitEffect("commit", "guarded"), before: "" },
    { type: "effect.settled", key: "1/0", is: "done", detail: "1a2b", subject: "Add it", usage: NO_USAGE },
    claimJudged(
      1,
      {
        reason: "npm test: exit code 1",
        checks: [check("npm test", "fail", { since: "regressed", tests, excerpt: "12 passed\u001b[2J" })],
        proved: { proved: 1, of: 2, which: [0] },
        tampered: [{ path: "a.test.ts", change: "deleted" }],
      },
      usage,
    ),
  );
  expect(phases(item)).toEqual([
    "claim good: <promise>DONE</promise>",
    "guards warn: 1 doubt",
    "guardrails good: 2 of 2 passed",
    "verdict bad: fail, 1/2 proved: npm test: exit code 1",
  ]);
  expect(item).toMatchObject({
    ...{ n: 1, attempt: 1, agent: "claude", model: "opus", beganMs: 1_000, endedMs: 2_000, tone: "bad" },
    effects: [{ tone: "good", words: "commit done: 1a2b “Add it”" }],
    ...{ costUsd: 0.75, tokens: 105, proved: { proved: 1, of: 2 }, decision: "not decided yet" },
  });
  expect(item?.phases[1]?.details).toEqual(["tests-not-run: “I did not run them”"]);
  expect(item?.phases[3]?.details).toEqual(["tampered: a.test.ts (deleted)", "open: it is fast"]);
  expect(item?.phases[3]?.checks).toEqual([
    {
      ...{ name: "npm test", command: "npm test", tone: "bad", words: "failed: exit code 1", since: "regressed" },
      ...{ tests: "14 tests, 2 failed", failing: ["login fails", "logout fails"], findings: [] },
      ...{ excerpt: "12 passed", ms: 1 },
    },
  ]);
});

const voided: LoopEvent = {
  ...{ type: "turn.voided", n: 1, attempt: 1, why: "rate-limited", detail: "try later", retryAtMs: 1 },
  usage: NO_USAGE,
};

test.each<[string, LoopEvent[], string[], TimelineItem["tone"]]>([
  ["a turn that runs", [], ["claim active: still running"], "active"],
  ["a turn that was cut short", [voided], ["claim warn: rate-limited: try later"], "warn"],
  ["no claim", [turnEnded(1, { claim: null })], ["claim dim: no claim"], "plain"],
  [
    "an agent that failed",
    [turnEnded(1, { claim: null, failed: { kind: "exit", detail: "exit code 2" } } as never)],
    ["claim bad: no claim"],
    "bad",
  ],
  [
    "a claim without doubts that is proven",
    [turnEnded(1), claimJudged(1, { is: "pass", proof: "verified", reason: "1 of 1" })],
    ["claim good: <promise>DONE</promise>", "guards good: no doubt", "verdict good: pass, verified: 1 of 1"],
    "good",
  ],
  [
    "a weak proof",
    [turnEnded(1), claimJudged(1, { is: "pass", reason: "no check" })],
    ["claim good: <promise>DONE</promise>", "guards good: no doubt", "verdict warn: pass, promise-only: no check"],
    "warn",
  ],
])("%s", async (_name, events, expected, tone) => {
  const [item] = await items(turnBegan(1), ...events);
  expect(phases(item)).toEqual(expected);
  expect(item?.tone).toBe(tone);
});

test("nothing is shown of what a sealed check printed, or of its tests", () => {
  const sealed = check("sealed check 1 of 1", "fail", { sealed: true, excerpt: "secret", reason: "exit code 1" });
  expect(checkLine(sealed, ["a hidden test"])).toMatchObject({
    excerpt: "",
    failing: [],
    words: "failed: exit code 1",
  });
});
