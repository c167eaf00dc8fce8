import { describe, expect, test } from "vitest";
import type { Judgement } from "../schema/judgement.ts";
import { verdictOn } from "./findings.ts";
import type { Section } from "./question.ts";

const CRITERIA = ["it greets by name", "it is tested"];
const SECTIONS: Section[] = [
  {
    title: "changes",
    text: "--- greet.mjs\n@@ -0,0 +1,3 @@\n+export const greet = (name) => {\n+  return greeting(name);\n+};\n-old greeting\n",
    proves: true,
  },
  { title: "commands", text: "$ npm test\npass: exit code 0\n2 tests passed", proves: true },
  { title: "claim", text: "I tested everything thoroughly. <promise>DONE</promise>", proves: false },
];
type Given = Partial<Judgement["findings"][number]>;
const finding = (criterion: number, given: Given = {}) => ({
  criterion,
  is: "proved" as const,
  quote: criterion === 1 ? "return greeting(name);" : "2 tests passed",
  reason: "seen",
  ...given,
});
const judged = (...findings: Judgement["findings"]) => verdictOn(CRITERIA, { findings }, SECTIONS);

test("everything is proved, in any order", () => {
  expect(judged(finding(2), finding(1))).toMatchObject({
    is: "pass",
    reason: "2 of 2 criteria proved",
    findings: [
      { criterion: CRITERIA[0], is: "proved" },
      { criterion: CRITERIA[1], is: "proved" },
    ],
  });
});

test.each(["weak", "missing", "contradicted"] as const)("%s fails it, and is reported", (is) => {
  const answer = judged(finding(1), finding(2, { is, quote: "", reason: "there is no test" }));
  expect(answer).toMatchObject({ is: "fail", reason: `1 of 2 criteria proved; ${is}: "it is tested"` });
  expect(answer?.excerpt).toBe(
    [
      "1. proved: it greets by name",
      "   seen",
      "   evidence: return greeting(name);",
      `2. ${is}: it is tested`,
      "   there is no test",
    ].join("\n"),
  );
});

describe("a quote", () => {
  test.each([
    ["as it is written", "return greeting(name);"],
    ["with the mark of the diff", "+  return greeting(name);"],
    ["over two lines", "(name) => {\n  return greeting(name);"],
    ["over two lines with their marks", "+export const greet = (name) => {\n+  return"],
    ["with other white space", "export   const\tgreet"],
    ["of a command's output", "pass: exit code 0"],
    ["of a removed line", "-old greeting"],
  ])("%s counts", (_name, quote) => {
    expect(judged(finding(1, { quote }), finding(2))?.is).toBe("pass");
  });

  test.each([
    ["invented", "assert.equal(greet('Ada'), 'hello Ada')"],
    ["none", ""],
    ["too short to mean anything", "hello"],
    ["from the agent's own claim", "I tested everything thoroughly."],
    ["from the criteria", "it greets by name"],
    ["in other case", "RETURN GREETING(NAME);"],
    ["of blanks", "                    "],
  ])("%s makes it unknown", (_name, quote) => {
    const answer = judged(finding(1, { quote }), finding(2));
    expect(answer).toMatchObject({ is: "unknown", findings: [{ is: "unknown" }, { is: "proved" }] });
    expect(answer?.reason).toBe('1 of 2 criteria proved; unknown: "it greets by name"');
  });

  test("an invented quote does not hide what is missing elsewhere", () => {
    expect(judged(finding(1, { quote: "something invented" }), finding(2, { is: "missing" }))?.is).toBe("fail");
  });
});

test.each([
  ["one is missing", [finding(1)]],
  ["one is answered twice", [finding(1), finding(1), finding(2)]],
  ["one is answered twice instead of another", [finding(1), finding(1)]],
  ["there is one too many", [finding(1), finding(2), finding(3)]],
  ["there is none", []],
])("no verdict if %s", (_name, findings) => {
  expect(judged(...findings)).toBeNull();
});

test("a judge's text is bounded, and cannot move the cursor", () => {
  const answer = judged(finding(1, { is: "weak", reason: `\u001b[2J${"x".repeat(5_000)}\nnext` }), finding(2));
  const [{ reason } = { reason: "" }] = answer?.findings ?? [];
  expect(reason.length).toBeLessThanOrEqual(400);
  expect(reason).not.toMatch(/[\u001b\n]/);
});
