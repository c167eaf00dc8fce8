import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { someGuardrail, someSpec } from "../../../test/support/spec.ts";
import { shorten } from "../excerpt.ts";
import { NO_PROOF, type Proof } from "../proof/proof.ts";
import { provedOf } from "../proof/proved.ts";
import { REVIEW_FORM } from "../review.ts";
import type { LoopRole } from "../task/role.ts";
import type { CheckResult, Verdict } from "./events.ts";
import { feedbackOf } from "./feedback.ts";
import { itemText } from "./feedback-budget.ts";
import { type Feedback, START, type Turn } from "./state.ts";

const check = (is: CheckResult["is"], more: Partial<CheckResult> = {}): CheckResult => ({
  name: "npm test",
  command: "npm test",
  is,
  code: 1,
  reason: "exit code 1",
  excerpt: "1 failed",
  log: "/logs/a.log",
  ms: 5,
  ...more,
});
const spec = someSpec({
  guardrails: [
    someGuardrail({ name: "lint", command: "lint", failAction: "PREPEND" }),
    someGuardrail({ name: "types", command: "types" }),
  ],
});
const feedbackAfter = (n: number, turn: Turn) => feedbackOf({ ...START, spec, n, turn }, turn, spec);
const textsAfter = (n: number, ended: Turn) => feedbackAfter(n, ended).map(itemText);
const turn = (more: Partial<Turn>): Turn => ({
  epoch: 1,
  runToken: "t",
  log: null,
  nonce: null,
  ended: true,
  claim: null,
  doubts: [],
  blocked: null,
  review: null,
  failed: null,
  refused: null,
  tools: null,
  looked: true,
  tree: null,
  worked: true,
  guards: [],
  effectsDone: 0,
  verdict: null,
  judged: 0,
  ...more,
});
const claim = { text: "DONE", tag: "promise", start: 0, end: 1, quote: "<promise>DONE</promise>" } as const;
const doubt = { is: "guarded", rule: "negated", start: 0, end: 1, quote: "not <promise>DONE</promise>" } as const;

test.each<[string, LoopRole, Partial<Turn>, string[]]>([
  [
    "that a review cannot be read",
    "reviewer",
    { reviewFault: "expected a JSON object" },
    [`Your review cannot be read: expected a JSON object. It has to be one line in your last message: ${REVIEW_FORM}`],
  ],
  [
    "that a review is empty",
    "qa",
    { review: { approved: false, findings: [] } },
    [`Your review neither approves nor names a fault. It has to be one line in your last message: ${REVIEW_FORM}`],
  ],
  ["nothing about an approval", "tester", { review: { approved: true, findings: [] } }, []],
  ["nothing to an agent that was not asked", "coder", { reviewFault: "expected a JSON object" }, []],
])("says %s", (_name, place, more, texts) => {
  const part = { task: "T", place, execution: "e", description: "", method: "" };
  const ended = turn(more);
  const told = feedbackOf({ ...START, n: 1, turn: ended }, ended, { ...spec, part });
  expect(told.map(({ text }) => text)).toEqual(texts);
});

test("says nothing about an iteration without a claim", () => expect(feedbackAfter(1, turn({}))).toEqual([]));

test("names command, exit code, log and output of each failing guardrail, each by its own action", () => {
  const items = feedbackAfter(
    3,
    turn({ guards: [check("fail", { command: "lint" }), check("pass"), check("unknown")] }),
  );
  expect(items.map((item) => item.action)).toEqual(["PREPEND", "APPEND"]);
  expect(items[0] && itemText(items[0])).toBe(
    "Guardrail failed after iteration 3.\nCommand: lint\nResult: exit code 1\nFull output: /logs/a.log\nOutput:\n1 failed",
  );
});

test("names the failures of a claim, and only those", () => {
  const verdict = {
    is: "fail",
    reason: "npm test: exit code 1",
    checks: [check("pass", { command: "ok" }), check("fail")],
  } as const;
  expect(textsAfter(2, turn({ claim, verdict }))).toEqual([
    "You claimed completion (<promise>DONE</promise>) in iteration 2, but it was not proven.",
    "Command: npm test\nResult: exit code 1\nFull output: /logs/a.log\nOutput:\n1 failed",
  ]);
});

test.each([
  [
    "quotes the text that contradicts a claim",
    { claim, doubts: [{ ...doubt, is: "contradicted" as const }] },
    "your own words",
  ],
  ["distinguishes a mention from a claim", { doubts: [doubt] }, "without claiming completion"],
  ["says how to write the tag", { doubts: [doubt] }, "write the tag bare, on its own line"],
  [
    "names the lookalike character",
    { doubts: [{ ...doubt, rule: "look-alike", detail: "zero-width space U+200B" }] },
    "- a character that only looks right: zero-width space U+200B: “",
  ],
  ["says how the agent ended", { failed: { kind: "timed-out" as const, detail: "time limit" } }, "timed-out"],
])("%s", (_name, more, words) => expect(feedbackAfter(2, turn(more))[0]?.text).toContain(words));

const proof: Proof = { ...NO_PROOF, acceptance: ["it logs in", "it logs out", "it is fast"] };
const judged = (checks: CheckResult[], more: Partial<Verdict> = {}): Verdict => ({
  is: "fail",
  reason: "it fails",
  checks,
  ...more,
});

/** The complete feedback as part of a prompt. */
function told(ended: Partial<Turn>, feedbackMaxChars = 10_000, more: Partial<Proof> = {}): string {
  const whole = turn(ended);
  const loop = { ...spec, feedbackMaxChars, proof: { ...proof, ...more } };
  const proved = loop.proof.acceptance.length > 0 ? provedOf(loop.proof, whole.verdict?.checks ?? []) : null;
  return textOf(feedbackOf({ ...START, spec: loop, n: 2, turn: whole, proved }, whole, loop));
}
const textOf = (feedback: Feedback): string => feedback.map(itemText).join("\n\n");

describe("the failures of a claim", () => {
  const checks = [
    check("pass", { name: "in", command: "in", criterion: "it logs in" }),
    check("fail", { name: "out", command: "out", criterion: "it logs out", since: "regressed", excerpt: "no session" }),
    check("fail", { name: "lint", command: "lint", excerpt: "no session" }),
    check("fail", { name: "docs", command: "docs", optional: true, excerpt: "a long story" }),
    check("fail", {
      name: "judge",
      command: "",
      findings: [
        { criterion: "it is fast", is: "weak", quote: "sleep(1)", reason: "it sleeps" },
        { criterion: "no stubs", is: "contradicted", quote: "TODO", reason: "a stub is left" },
        { criterion: "named well", is: "proved", quote: "x", reason: "" },
      ],
    }),
  ];
  const verdict = judged(checks, { broken: ["no commit was made"], tampered: [{ path: "t.sh", change: "changed" }] });
  const doubts = [
    { ...doubt, is: "contradicted" as const, rule: "tests-fail", quote: "two tests fail" },
    { ...doubt, quote: "a guarded one" },
  ];

  test("are in order, without duplicates", () => {
    expect(told({ claim, verdict, doubts })).toBe(`\
You claimed completion (<promise>DONE</promise>) in iteration 2, but it was not proven: no commit was made

Acceptance criteria, 1/3 proved:
- [x] it logs in
- [ ] it logs out (out does not pass)
- [ ] it is fast (weak: it sleeps “sleep(1)”)

Command: out
Result: exit code 1 (regressed: it passed before your work)
Full output: /logs/a.log
Output:
no session

Command: lint
Result: exit code 1
Full output: /logs/a.log
Output: the same as that of out

t.sh decides completion: changed. Restore it.

Your own words contradict it too:
- tests-fail: “two tests fail”

Judged, but not proved:
- no stubs: contradicted: a stub is left “TODO”

Warnings, which do not prevent completion:
- docs: exit code 1`);
  });

  test("are given by the reason if nothing else explains them", () => {
    expect(
      told({ claim, verdict: judged([], { reason: "the room could not be set up" }) }, 900, { acceptance: [] }),
    ).toBe(
      "You claimed completion (<promise>DONE</promise>) in iteration 2, but it was not proven: the room could not be set up",
    );
  });

  test.each<[string, CheckResult[]]>([
    ["beside failures", [check("fail")]],
    ["if there is nothing else", []],
  ])("says once what the checks could not see, %s", (_name, failing) => {
    const note = "checked on commit abc, without what is not committed: new.txt";
    const text = told({ claim, verdict: judged(failing, { note, reason: `it fails (${note})` }) });
    expect(text.match(/new\.txt/g)).toHaveLength(1);
  });

  test("shortens output before anything else, evenly", () => {
    const long = (name: string, chars: number) =>
      check("fail", { name, command: name, log: null, excerpt: name.repeat(chars) });
    const text = told({ claim, verdict: judged([long("a", 5_000), long("b", 5_000), long("c", 90)]) }, 2_000);
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.length).toBeGreaterThan(1_900);
    expect(text).toContain("- [ ] it is fast");
    expect(text).toContain("c".repeat(90));
    const kept = (letter: string) => text.split(letter.repeat(10)).length;
    expect(Math.abs(kept("a") - kept("b"))).toBeLessThan(2);
    expect(text.match(/characters left out/g)).toHaveLength(2);
  });

  test("has a command once that is both guardrail and check", () => {
    const guard = check("fail", { excerpt: "guard: 1 failed in 3 s" });
    const text = told({ claim, guards: [guard], verdict: judged([check("fail", { excerpt: "1 failed in 4 s" })]) });
    expect(text).toContain("1 failed in 3 s");
    expect(text).not.toContain("1 failed in 4 s");
  });
});

test("the last known criteria are shown if they were not judged again, and omitted if never judged", () => {
  const ended = turn({});
  const state = { ...START, spec: { ...spec, proof }, n: 2, turn: ended };
  const looked = { ...state, proved: { proved: 1, of: 3, which: [1] } };
  expect(textOf(feedbackOf(looked, ended, state.spec))).toBe(
    "Acceptance criteria, 1/3 proved when last checked:\n- [ ] it logs in\n- [x] it logs out\n- [ ] it is fast",
  );
  expect(feedbackOf({ ...state, proved: { proved: 0, of: 3 } }, ended, state.spec)).toEqual([]);
});

const anyText = fc.oneof(fc.string(), fc.string({ minLength: 500, maxLength: 3_000 }), fc.constant("same"));
const anyCheck = fc.record({
  is: fc.constantFrom("pass", "fail", "unknown"),
  reason: anyText,
  excerpt: anyText,
  optional: fc.boolean(),
  criterion: fc.constantFrom(undefined, ...proof.acceptance),
  log: fc.option(anyText),
});
/** Each begins with a unique name, so that it can be found. */
const anyChecks = (kind: string) =>
  fc.array(fc.tuple(anyCheck, anyText), { maxLength: 5 }).map((all) =>
    all.map(([{ optional, criterion, is, ...result }, more], i) => {
      const name = `${kind}${i}-${more}`;
      const about = { ...(criterion ? { criterion } : {}), ...(optional ? { optional: true as const } : {}) };
      return check(is, { ...result, ...about, name, command: name });
    }),
  );
const anyTurn = fc.record({
  guards: anyChecks("g").map((guards) => guards.map(({ optional: _, ...guard }) => guard)),
  checks: anyChecks("c"),
  reason: anyText,
  tampered: fc.array(fc.record({ path: anyText, change: anyText }), { maxLength: 3 }),
  quotes: fc.array(anyText, { maxLength: 7 }),
  acceptance: fc.array(anyText, { maxLength: 6 }),
});

test("never exceeds its limit, and every failing command is named", () => {
  fc.assert(
    fc.property(anyTurn, fc.integer({ min: 1, max: 15_000 }), (given, most) => {
      const doubts = given.quotes.map((quote) => ({ ...doubt, is: "contradicted" as const, quote }));
      const verdict = judged(given.checks, { reason: given.reason, tampered: given.tampered });
      const text = told({ claim, guards: given.guards, verdict, doubts }, most, { acceptance: given.acceptance });
      expect(text.length).toBeLessThanOrEqual(most);
      if (most < 3_000) return;
      const failing = [...given.guards, ...given.checks].filter(({ is }) => is !== "pass");
      for (const { command } of failing) expect(text).toContain(shorten(command, 10).slice(0, 9).trim());
    }),
    { numRuns: runs(500) },
  );
});

test("mentions no claim if checks alone decide", () => {
  const verdict: Verdict = { is: "fail", reason: "npm test: exit code 1", checks: [check("fail")] };
  const [head] = textsAfter(2, turn({ verdict, doubts: [doubt] }));
  expect(head).toBe("The work is not done after iteration 2.");
  expect(textsAfter(2, turn({ verdict, doubts: [doubt] })).join("\n")).not.toMatch(/You claimed|contradict it/);
});
