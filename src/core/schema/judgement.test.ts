import { expect, test } from "vitest";
import { readJudgement } from "./judgement.ts";

const FINDING = { criterion: 1, is: "proved", quote: "q", reason: "r" };
const GOOD = JSON.stringify({ findings: [FINDING] });

test.each([
  ["alone", GOOD],
  ["in a code fence", `\`\`\`json\n${GOOD}\n\`\`\``],
  ["with text around it", `Here it is:\n\n${GOOD}\n\nThat is all.`],
  ["with extra fields", JSON.stringify({ findings: [{ ...FINDING, sure: 1 }], note: "x" })],
])("an answer %s is read", (_name, answer) => {
  expect(readJudgement(answer)).toEqual({ findings: [FINDING] });
});

test("missing texts are empty", () => {
  expect(readJudgement('{"findings": [{"criterion": 1, "is": "missing", "quote": null}]}')).toEqual({
    findings: [{ criterion: 1, is: "missing", quote: "", reason: "" }],
  });
});

test.each([
  ["nothing", ""],
  ["words", "It is all proved."],
  ["a part missing", GOOD.slice(0, -5)],
  ["two objects", `${GOOD}\n${GOOD}`],
  ["a list", `[${JSON.stringify(FINDING)}]`],
  ["another verdict", GOOD.replace("proved", "pass")],
  ["a word for a number", GOOD.replace("1", '"one"')],
  ["criterion 0", GOOD.replace("1", "0")],
  ["no findings", "{}"],
  ["a brace before it", `I use {braces}. ${GOOD}`],
])("an answer with %s is invalid", (_name, answer) => {
  expect(readJudgement(answer)).toBeNull();
});
