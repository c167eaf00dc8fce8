import { expect, test } from "vitest";
import { gitEffect, provedBy, someAgent, someSpec } from "../../../../test/support/spec.ts";
import { stripAnsi } from "../../../core/ansi.ts";
import type { Doubt } from "../../../core/claim/claim.ts";
import type { CheckResult, LoopEvent, TurnEnded, Verdict } from "../../../core/loop/events.ts";
import { reduce } from "../../../core/loop/reduce.ts";
import type { LoopSpec } from "../../../core/loop/spec.ts";
import { type LoopState, START } from "../../../core/loop/state.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import { linesOf } from "./event-lines.ts";

const NOW = Date.now();
const TIME = "(?:\\w+ )?\\d\\d:\\d\\d";

/** The lines for the events of a loop with these agents. */
function told(agents: string[], events: LoopEvent[], checks: string[] = [], more: Partial<LoopSpec> = {}): string[] {
  const spec = someSpec({
    agents: agents.map((name) => someAgent(name)),
    proof: provedBy(checks),
    ...more,
  });
  let state: LoopState = { ...START, spec };
  return events.flatMap((event, seq) => {
    const before = state;
    state = reduce(before, { loop: "one", seq, epoch: 1, atMs: NOW, event });
    return linesOf({ event, before, after: state }).map(stripAnsi);
  });
}

const began = (attempt: number, agent: number): LoopEvent => {
  return { type: "turn.began", n: 1, attempt, agent, runToken: "", log: null, nonce: null };
};
const limited = (attempt: number, minutes: number): LoopEvent => {
  const retryAtMs = NOW + minutes * 60_000;
  return {
    type: "turn.voided",
    n: 1,
    attempt,
    why: "rate-limited",
    detail: "5-hour limit",
    retryAtMs,
    usage: NO_USAGE,
  };
};

test("one agent is not named, and its limit is a wait", () => {
  const [turn, wait] = told(["claude"], [began(1, 0), limited(1, 12)]);
  expect(turn).toBe("── iteration 1/10 ──");
  expect(wait).toMatch(
    new RegExp(`^ {2}waiting until ${TIME} \\(12m left\\): rate-limited: 5-hour limit \\(uses no iteration\\)$`),
  );
});

test("of several agents the next takes over, and the wait is for the earliest reset", () => {
  const lines = told(["/bin/claude", "codex"], [began(1, 0), limited(1, 30), began(2, 1), limited(2, 12)]);
  expect(lines[0]).toBe("── iteration 1/10, claude ──");
  expect(lines[1]).toMatch(new RegExp(`^ {2}claude is limited until ${TIME}, codex takes over \\(rate-limited: 5-h`));
  expect(lines[2]).toBe("── iteration 1/10, attempt 2, codex ──");
  expect(lines[3]).toMatch(new RegExp(`^ {2}waiting until ${TIME} \\(12m left\\)`));
});

test.each<[string, string]>([
  ["commit", "  ✗ commit failed: no"],
  ["push", "  ✗ push failed: no"],
])("an effect has its own name: %s", (kind, line) => {
  const effect = gitEffect(kind === "push" ? "push" : "commit", "guarded");
  const lines = told(
    ["claude"],
    [
      began(1, 0),
      { type: "effect.intended", key: "1/0", effect, before: "" },
      { type: "effect.settled", key: "1/0", is: "failed", detail: "no", usage: NO_USAGE },
    ],
  );
  expect(lines.at(-1)).toBe(line);
});

test("a commit shows its subject, and nothing in it controls the terminal", () => {
  const lines = told(
    ["claude"],
    [
      began(1, 0),
      { type: "effect.intended", key: "1/0", effect: gitEffect("commit", "guarded"), before: "" },
      {
        ...{ type: "effect.settled", key: "1/0", is: "done", usage: NO_USAGE },
        ...{ detail: "0123456789".repeat(4), subject: "Add \u001b[2Jthe discount" },
      },
    ],
  );
  expect(lines.at(-1)).toBe("  ✓ commit done: 0123456789 Add the discount");
});

test("a missing agent is reported with the end of the loop, not before", () => {
  const voided = { type: "turn.voided", n: 1, attempt: 1, usage: NO_USAGE, retryAtMs: null } as const;
  expect(told(["claude"], [began(1, 0), { ...voided, why: "agent-missing", detail: "gone" }])).toHaveLength(1);
});

const checked = (name: string, is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => {
  return { name, command: name, is, code: 1, reason: `it is ${is}`, excerpt: "a\nb", log: null, ms: 0, ...more };
};

test.each<[string, Partial<Verdict>, string]>([
  ["verified", { proof: "verified" }, "  ✓ verified: it holds"],
  ["judged", { proof: "judged" }, "  ✓ judged: it holds"],
  ["still green", { proof: "still-green" }, "  ~ still-green: it holds"],
  ["a promise", { proof: "promise-only" }, "  ? promise-only: it holds"],
  ["an unknown level", {}, "  ? promise-only: it holds"],
  [
    "a promise without a judge",
    { proof: "promise-only", checks: [checked("judge", "pass", { label: "judge unavailable" })] },
    "  ? promise-only [judge unavailable]: it holds",
  ],
])("a passing verdict names its proof: %s", (_name, more, line) => {
  const verdict: Verdict = { is: "pass", reason: "it holds", checks: [], ...more };
  const judged: LoopEvent = { type: "claim.judged", n: 1, try: 1, verdict, usage: NO_USAGE };
  expect(told(["claude"], [began(1, 0), judged]).at(-1)).toBe(line);
});

test("a claim without work is refused even if the checks pass", () => {
  const spec = { proof: provedBy(["npm test"]), tracked: false };
  const results = [checked("npm test", "pass"), checked("docs", "fail", { optional: true })];
  const verdict: Verdict = { is: "pass", reason: "so", proof: "still-green", checks: [checked("npm test", "pass")] };
  const events: LoopEvent[] = [
    { type: "baseline.taken", results, head: "", tree: null },
    began(1, 0),
    says({ claim, tools: "" }),
    { type: "guards.ended", n: 1, results: [] },
    { type: "claim.judged", n: 1, try: 1, verdict, usage: NO_USAGE },
  ];
  expect(told(["claude"], events, [], spec).at(-1)).toBe("  ✗ claim refused: no tool was used and nothing was changed");
});

test.each<[string, Partial<Verdict>, string]>([
  ["how many are missing", { is: "fail" }, "  ✗ not proven (5/7 proved): it is so"],
  [
    "that a check fails although all are proved",
    { is: "fail", proved: { proved: 7, of: 7, which: [0, 1, 2, 3, 4, 5, 6] } },
    "  ✗ not proven: 7 of 7 criteria proved, but it is so",
  ],
  ["that they are unknown", { is: "unknown" }, "  ✗ not proven (unknown, 5/7 proved): it is so"],
  [
    "that all are proved",
    { is: "pass", proof: "verified", proved: { proved: 7, of: 7 } },
    "  ✓ verified: 7/7 criteria, it is so",
  ],
])("the criteria show %s", (_name, more, line) => {
  const verdict: Verdict = { is: "fail", reason: "it is so", checks: [], proved: { proved: 5, of: 7 }, ...more };
  const judged: LoopEvent = { type: "claim.judged", n: 1, try: 1, verdict, usage: NO_USAGE };
  expect(told(["claude"], [began(1, 0), judged]).at(-1)).toBe(line);
});

const claim = { start: 0, end: 4, quote: "<promise>DONE</promise>", text: "DONE", tag: "promise" } as const;
const says = (more: Partial<TurnEnded>): LoopEvent => ({
  type: "turn.ended",
  n: 1,
  attempt: 1,
  claim: null,
  blocked: null,
  doubts: [],
  failed: null,
  refused: null,
  source: "text",
  sessionId: null,
  sessionUsage: NO_USAGE,
  tools: null,
  model: null,
  usage: NO_USAGE,
  ...more,
});

const doubt = (is: Doubt["is"], rule: string, quote: string): Doubt => ({ is, rule, quote, start: 0, end: 4 });

test.each<[string, Partial<TurnEnded>, string[], string]>([
  ["text about the tag", { doubts: [doubt("guarded", "negated", "not yet")] }, [], "  no claim (negated): “not yet”"],
  [
    "a stale promise",
    { doubts: [doubt("guarded", "other-text", "<promise>DONE 1f</promise>")] },
    [],
    "  no claim (not the expected text): “<promise>DONE 1f</promise>”",
  ],
  [
    "text that contradicts an unchecked claim",
    { claim, doubts: [doubt("contradicted", "tests-fail", "2 fail")] },
    [],
    "  ✗ claim refused (tests-fail): “2 fail”",
  ],
  [
    "text that contradicts a checked claim",
    { claim, doubts: [doubt("contradicted", "tests-fail", "2 fail")] },
    ["npm test"],
    "  doubt (tests-fail): “2 fail”",
  ],
])("%s: shown with its effect", (_name, more, checks, line) => {
  expect(told(["claude"], [began(1, 0), says(more)], checks).at(-1)).toBe(line);
});

test("an optional failure is a warning, for any verdict", () => {
  const judged = (is: "pass" | "fail"): LoopEvent => ({
    type: "claim.judged",
    n: 1,
    try: 1,
    verdict: {
      is,
      ...(is === "pass" ? { proof: "still-green" } : {}),
      reason: "so",
      checks: [checked("test", is), checked("coverage", "fail", { optional: true })],
    },
    usage: NO_USAGE,
  });
  expect(told(["claude"], [began(1, 0), judged("pass")]).slice(1)).toEqual([
    "  ~ still-green: so",
    "  ! warning: coverage (it is fail)",
  ]);
  expect(told(["claude"], [began(1, 0), judged("fail")]).slice(1)).toEqual([
    "  ✗ not proven (fail): so",
    "  → feedback: test, it is fail, 2 lines of output",
    "  ! warning: coverage (it is fail)",
  ]);
});

test("a claim without work is refused with an explanation", () => {
  const idle = { proof: provedBy(["npm test"], { zeroWorkGuard: true }), tracked: false };
  const events: LoopEvent[] = [began(1, 0), says({ claim, tools: "" }), { type: "guards.ended", n: 1, results: [] }];
  expect(told(["claude"], events, [], idle).slice(2)).toEqual([
    "  ✗ claim refused: no tool was used and nothing was changed",
  ]);
});

test("an undecided check is not feedback; a judge or plugin that refuses is named", () => {
  const judged = (is: "unknown" | "fail"): LoopEvent => ({
    type: "claim.judged",
    n: 1,
    try: 1,
    verdict: { is, reason: "so", checks: [checked("acceptance criteria", is, { command: "semantic" })] },
    usage: NO_USAGE,
  });
  expect(told(["claude"], [began(1, 0), judged("unknown")]).slice(1)).toEqual(["  ✗ not proven (unknown): so"]);
  expect(told(["claude"], [began(1, 0), judged("fail")]).at(-1)).toBe(
    "  → feedback: acceptance criteria, it is fail, 2 lines of output",
  );
});

const GREEN = "  ! the checks pass before any work: they cannot show whether the work is done";

test.each<[string, CheckResult[], string[]]>([
  ["nothing to check", [], []],
  ["failing checks", [checked("a", "fail")], ["  · before any work: a (it is fail): fails now, as it should"]],
  ["checks that cannot run", [checked("a", "unknown")], ["  ✗ before any work: a (it is unknown)"]],
  ["passing checks", [checked("a", "pass")], ["  ✓ before any work: a (it is pass)", GREEN]],
  [
    "passing checks with warnings",
    [checked("a", "pass"), checked("b", "fail", { optional: true })],
    ["  ✓ before any work: a (it is pass)", "  · before any work: b (it is fail): fails now", GREEN],
  ],
  [
    "partly passing checks",
    [checked("a", "pass"), checked("b", "fail")],
    ["  ✓ before any work: a (it is pass)", "  · before any work: b (it is fail): fails now, as it should"],
  ],
])("before any work: %s", (_name, results, lines) => {
  expect(told(["claude"], [{ type: "baseline.taken", results, head: "", tree: null }])).toEqual(lines);
});
