import { expect, test } from "vitest";
import { provedBy, someGuardrail, someSpec } from "../../test/support/spec.ts";
import type { CheckResult, LoopEvent, TurnEnded, Verdict } from "./loop/events.ts";
import { reduce } from "./loop/reduce.ts";
import type { LoopSpec } from "./loop/spec.ts";
import { type LoopState, START } from "./loop/state.ts";
import { NO_USAGE } from "./usage.ts";
import { decidedWords, type FailingTests } from "./why-decided.ts";

const usage = NO_USAGE;
const check = (name: string, is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ name, command: name, is, code: is === "pass" ? 0 : 1, reason: is === "pass" ? "exit code 0" : "exit code 1" },
  ...{ excerpt: "", log: null, ms: 1 },
  ...more,
});
const began: LoopEvent = { type: "turn.began", n: 1, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null };
const ended = (more: Partial<TurnEnded> = {}): LoopEvent => ({
  ...{ type: "turn.ended", n: 1, attempt: 1, doubts: [], blocked: null, failed: null, refused: null, usage },
  ...{ claim: { text: "DONE", tag: "promise", start: 0, end: 1, quote: "q" }, source: "text", tools: "t" },
  ...{ sessionId: null, sessionUsage: null, model: null },
  ...more,
});
const judged = (verdict: Partial<Verdict>): LoopEvent => ({
  ...{ type: "claim.judged", n: 1, try: 1, usage },
  verdict: { is: "pass", reason: "1 of 1 checks pass", checks: [], ...verdict },
});
const refused = judged({ is: "fail", reason: "npm test: exit code 1", checks: [check("npm test", "fail")] });
const stopped = (reason: (LoopEvent & { type: "loop.stopped" })["reason"], detail = ""): LoopEvent => ({
  ...{ type: "loop.stopped", reason, detail },
});
const quote = { quote: "x", start: 0, end: 1 };

function after(spec: LoopSpec, events: readonly LoopEvent[]): LoopState {
  const all: LoopEvent[] = [{ type: "loop.started", spec, fingerprints: {} }, ...events];
  return all.reduce((state, event, i) => reduce(state, { loop: "l", seq: i + 1, epoch: 1, atMs: i, event }), START);
}

const backed = someSpec({ guardrails: [someGuardrail()], proof: provedBy(["npm test", "npm run lint"]) });
const twoFailed: FailingTests = ({ name }) => (name === "npm test" ? ["adds", "subtracts"] : []);

test.each<[string, readonly LoopEvent[], string, LoopSpec?, FailingTests?]>([
  [
    "a verified loop names the checks that went from red to green",
    [
      began,
      ended(),
      judged({ proof: "verified", checks: [check("npm test", "pass", { since: "fixed" }), check("b", "pass")] }),
      stopped("verified"),
    ],
    "failed before the work, passes now: npm test",
  ],
  [
    "a weak level says what it means and what weakens it",
    [
      began,
      ended(),
      judged({ proof: "still-green", weak: ["nothing was protected"] }),
      stopped("still-green", "1 of 1 checks pass"),
    ],
    "every check passes, as before the work: that proves nothing new; 1 of 1 checks pass; weakened: nothing was protected",
  ],
  [
    "a limit names what was missing, with the tests that failed",
    [began, ended(), refused, stopped("iteration-limit", "1 of 1")],
    "the iteration limit was reached: 1 of 1; the last claim was not proven: npm test: exit code 1 (failed: adds, subtracts)",
    backed,
    twoFailed,
  ],
  [
    "a sealed check names no tests",
    [
      began,
      ended(),
      judged({ is: "fail", reason: "hidden failed", checks: [check("npm test", "fail", { sealed: true })] }),
      stopped("cost-limit"),
    ],
    "the cost limit was reached; the last claim was not proven: hidden failed",
    backed,
    twoFailed,
  ],
  [
    "without a claim it says so",
    [began, ended({ claim: null }), stopped("time-limit")],
    "the time limit was reached; the agent claimed nothing in the last iteration",
  ],
  [
    "a tag that did not count is named with its rule",
    [
      began,
      ended({ claim: null, doubts: [{ is: "guarded", rule: "words-after", ...quote }] }),
      stopped("iteration-limit"),
    ],
    "the iteration limit was reached; no claim counted (words follow the tag in its sentence)",
  ],
  [
    "a guardrail's veto is named",
    [began, ended(), { type: "guards.ended", n: 1, results: [check("lint", "fail")] }, stopped("stuck")],
    "iterations made no progress; vetoed by guardrail lint",
  ],
  [
    "an agent that fails is named",
    [began, ended({ claim: null, failed: { kind: "crashed", detail: "exit code 3" } }), stopped("token-limit")],
    "the token limit was reached; the agent failed (crashed: exit code 3)",
  ],
  [
    "a reason with its own detail needs nothing else",
    [began, ended({ claim: null, blocked: "which database?" }), stopped("blocked", "which database?")],
    "the agent says that it cannot continue without the user: which database?",
  ],
  ["before any work there is only the reason", [stopped("cancelled", "by a")], "cancelled: by a"],
  ["an open loop names the checks that decide", [began], "once the agent claims DONE: npm test, npm run lint"],
  [
    "also where nothing backs the claim",
    [began],
    "once the agent claims DONE, its word alone: there is no check",
    someSpec(),
  ],
  [
    "also where only the checks decide",
    [began],
    "after each iteration: npm test",
    someSpec({ ends: "checks", proof: provedBy(["npm test"]) }),
  ],
  ["also where the turn decides", [began], "the end of the agent's turn", someSpec({ ends: "turn" })],
])("%s", (_name, events, words, spec = backed, failing = () => []) => {
  expect(decidedWords(after(spec, events), failing)).toBe(words);
});
