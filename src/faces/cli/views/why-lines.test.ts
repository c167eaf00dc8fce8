import { expect, test } from "vitest";
import { gitEffect, provedBy, someAgent, someGuardrail, someSpec } from "../../../../test/support/spec.ts";
import type { CheckResult, Entry, LoopEvent, TurnEnded, Verdict } from "../../../core/loop/events.ts";
import type { LoopSpec } from "../../../core/loop/spec.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import { attemptsOf } from "../../../core/why.ts";
import { explainedLines } from "./why-lines.ts";

/** Only colours are removed: any other sequence is a fault. */
const stripSgr = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "");

const usage = NO_USAGE;
const check = (command: string, is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => ({
  name: command,
  command,
  is,
  code: is === "pass" ? 0 : 1,
  reason: is === "pass" ? "exit code 0" : "exit code 1",
  excerpt: "",
  log: `/logs/${command}.log`,
  ms: 1,
  ...more,
});
const began = (n: number, attempt = 1, agent = 0): LoopEvent => ({
  type: "turn.began",
  n,
  attempt,
  agent,
  runToken: "t",
  log: { path: "/logs/1.log", from: 20 * n },
  nonce: null,
});
const claim = { text: "DONE", tag: "promise", start: 10, end: 33, quote: "<promise>DONE</promise>" } as const;
const ended = (n: number, more: Partial<TurnEnded> = {}): LoopEvent => ({
  type: "turn.ended",
  n,
  attempt: 1,
  claim,
  doubts: [],
  blocked: null,
  failed: null,
  refused: null,
  usage,
  sessionId: null,
  sessionUsage: null,
  source: "stream",
  tools: "",
  model: null,
  ...more,
});
const doubt = (is: "guarded" | "contradicted", rule: string, quote: string) => ({ is, rule, quote, start: 0, end: 1 });

async function told(spec: LoopSpec, events: LoopEvent[], width?: number): Promise<string> {
  const all: LoopEvent[] = [{ type: "loop.started", spec, fingerprints: {} }, ...events];
  async function* entries(): AsyncGenerator<Entry> {
    yield* all.map((event, i) => ({ loop: "l", seq: i + 1, epoch: 1, atMs: i, event }));
  }
  const chapters: string[] = [];
  for await (const explained of attemptsOf(entries()))
    chapters.push(stripSgr(explainedLines(explained, spec, width === undefined ? {} : { width }).join("\n")));
  return chapters.join("\n\n");
}

const rich = someSpec({
  tracked: true,
  agents: [someAgent("claude"), someAgent("codex")],
  guardrails: [someGuardrail()],
  effects: [gitEffect("commit", "guarded")],
  proof: provedBy(["npm test"], { zeroWorkGuard: true, acceptance: ["it logs in", "it logs out", "it is fast"] }),
});
const green = (n: number): LoopEvent => ({
  type: "guards.ended",
  n,
  results: [check("lint", "pass")],
});

test("shows every decision, and why", async () => {
  const printed = await told(rich, [
    {
      type: "baseline.taken",
      results: [check("npm test", "pass"), check("in", "pass", { criterion: "it logs in" })],
      head: "1234567890abcdef",
      tree: "fedcba0987654321",
    },
    began(1),
    { type: "turn.voided", n: 1, attempt: 1, why: "rate-limited", detail: "5-hour limit", retryAtMs: 9, usage },
    began(1, 2, 1),
    {
      ...ended(1, { doubts: [doubt("guarded", "negated", "not <promise>DONE</promise> yet")] }),
      attempt: 2,
    } as LoopEvent,
    { type: "tree.seen", n: 1, tree: "fedcba0987654321" },
    green(1),
    began(2, 1, 1),
    ended(2, { tools: "t", usage: { inputTokens: 900, cachedTokens: 0, outputTokens: 100, costUsd: 0.0123 } }),
    { type: "tree.seen", n: 2, tree: "b" },
    { type: "guards.ended", n: 2, results: [check("lint", "fail")] },
    began(3, 1, 1),
    ended(3, { tools: "t", doubts: [doubt("contradicted", "tests-fail", "two tests still fail")] }),
    { type: "tree.seen", n: 3, tree: "c" },
    green(3),
    { type: "effect.intended", key: "3/0", effect: gitEffect("commit", "guarded"), before: "" },
    { type: "effect.settled", key: "3/0", is: "done", detail: "abc123", usage },
    {
      type: "claim.judged",
      n: 3,
      try: 1,
      usage,
      verdict: {
        is: "fail",
        reason: "npm test: exit code 1",
        checks: [
          check("npm test", "fail", { since: "regressed" }),
          check("in", "pass", { criterion: "it logs in", since: "already passing", cached: true }),
          check("docs", "fail", { optional: true, log: null }),
          check("", "fail", {
            name: "judge",
            log: null,
            reason: "1 of 2 is proved",
            label: "judge unavailable",
            findings: [
              { criterion: "it logs out", is: "proved", quote: "session.end()", reason: "the session ends" },
              { criterion: "it is fast", is: "missing", quote: "", reason: "nothing measures it" },
            ],
          }),
        ],
        tampered: [{ path: "test/a.test.ts", change: "2 tests skipped" }],
        proved: { proved: 2, of: 3, which: [0, 1] },
        head: "abcdef1234567890",
        tree: "0123456789abcdef",
      },
    },
    { type: "loop.stopped", reason: "iteration-limit", detail: "3 of 3" },
  ]);
  expect(printed).toBe(`\
before any work
  check     pass: npm test (exit code 0)
  check     pass: in (exit code 0)
            proves: it logs in
  green     every check already passes, so passing proves nothing about the work
  criteria  1/3 proved
  state     commit 1234567890ab, tree fedcba098765

iteration 1 (claude)
  void      rate-limited: 5-hour limit
  decision  continued: the environment failed (rate-limited); the same iteration runs again

iteration 1, attempt 2 (codex)
  claim     <promise>DONE</promise> (the assistant's text in its stream, characters 10–33)
  guarded   negated: “not <promise>DONE</promise> yet”
  guardrail pass: lint (exit code 0)
  objection no tool was used and nothing was changed
  decision  continued: no tool was used and nothing was changed

iteration 2 (codex)
  spent     1000 tokens, $0.0123
  claim     <promise>DONE</promise> (the assistant's text in its stream, characters 10–33)
  guardrail fail: lint (exit code 1)
  objection vetoed by guardrail lint
  decision  continued: vetoed by guardrail lint

iteration 3 (codex)
  claim     <promise>DONE</promise> (the assistant's text in its stream, characters 10–33)
  against   tests-fail: “two tests still fail”
  guardrail pass: lint (exit code 0)
  effect    commit done: abc123
  check     fail: npm test (exit code 1, regressed)
  check     pass: in (exit code 0, already passing, cached)
            proves: it logs in
  warning   fail: docs (exit code 1, only warns)
  check     fail: judge (1 of 2 is proved, judge unavailable)
  finding   proved: it logs out (the session ends) “session.end()”
  finding   missing: it is fast (nothing measures it)
  tampered  test/a.test.ts: 2 tests skipped
  open      it is fast
  judged    commit abcdef123456, tree 0123456789ab
  verdict   fail, 2/3 proved [judge unavailable]: npm test: exit code 1
  decision  stopped: iteration-limit (3 of 3)`);
});

test("says that contradicting text refused a claim, if nothing else proves it", async () => {
  const doubts = [doubt("contradicted", "tests-fail", "two fail")];
  const printed = await told(someSpec(), [began(1), ended(1, { tools: "t", doubts })]);
  expect(printed).toContain("objection the agent's own words contradict the claim\n  decision  not decided yet");
});

test("shows what a verdict rests on and what weakens it; an earlier version's verified has its level", async () => {
  const judged = (verdict: Partial<Verdict>): LoopEvent => ({
    type: "claim.judged",
    n: 1,
    try: 1,
    usage,
    verdict: { is: "pass", reason: "1 of 1 checks pass", checks: [], ...verdict },
  });
  const stopped: LoopEvent = { type: "loop.stopped", reason: "verified", detail: "1 of 1 checks pass" };
  const turn = [began(1), ended(1, { tools: "t" })];
  expect(
    await told(someSpec(), [...turn, judged({ proof: "verified", weak: ["2 test files changed"] }), stopped]),
  ).toContain(`\
  verdict   pass, verified: 1 of 1 checks pass
  weak      2 test files changed
  decision  stopped: verified (1 of 1 checks pass)`);
});

test("a claim without work is refused even if checks passed", async () => {
  const spec = someSpec({ proof: provedBy(["npm test"]) });
  const verdict: Verdict = { is: "pass", proof: "still-green", reason: "so", checks: [check("npm test", "pass")] };
  const printed = await told(spec, [
    began(1),
    ended(1),
    { type: "guards.ended", n: 1, results: [] },
    { type: "claim.judged", n: 1, try: 1, verdict, usage },
    began(2),
  ]);
  expect(printed).toContain("  decision  continued: no tool was used and nothing was changed");
});

test("says that checks passing before any work prove nothing, and why a loop could not start", async () => {
  const results = [check("npm test", "pass"), check("docs", "fail", { optional: true })];
  const baseline: LoopEvent = { type: "baseline.taken", results, head: "", tree: null };
  const wanted = someSpec({ proof: provedBy(["npm test"], { requireRedFirst: true }) });
  expect(await told(wanted, [baseline])).toBe(`\
before any work
  check     pass: npm test (exit code 0)
  check     fail: docs (exit code 1, only warns)
  green     every check already passes, so passing proves nothing about the work
  refused   already-green: npm test`);
});

test("indents the continuation of long lines, and removes cursor movements", async () => {
  const quote = `words \u001b[2J${"and words ".repeat(20)}`;
  const printed = await told(someSpec(), [began(1), ended(1, { doubts: [doubt("guarded", "negated", quote)] })], 80);
  expect(Math.max(...printed.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(printed).toContain("\n  guarded   negated: “words and words");
  expect(printed).toContain("\n            and words");
  expect(printed).not.toContain("\u001b");
});
