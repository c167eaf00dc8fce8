import { expect, test } from "vitest";
import { claimOf, presets } from "./claim/policy.ts";
import type { Feedback } from "./loop/state.ts";
import { buildPrompt, completionRequirement } from "./prompt.ts";
import { NO_PROOF } from "./proof/proof.ts";

const claim = presets.harness("DONE");
const requirement = completionRequirement(claim);
const build = (base: string, feedback: Feedback = [], completionInstructions = true) =>
  buildPrompt({ base, feedback, claim, completionInstructions, proof: NO_PROOF });

test("the requirement names the tag and how to report being blocked", () => {
  expect(requirement).toContain("<response>DONE</response>");
  expect(requirement).toContain("<blocked>");
});

test.each<[string, string, Feedback, boolean, string]>([
  ["adds the requirement", "Fix it.\n", [], true, `Fix it.\n\n${requirement}`],
  [
    "leaves it out if the prompt names the tag",
    "Say <promise>DONE</promise> then.",
    [],
    true,
    "Say <promise>DONE</promise> then.",
  ],
  ["leaves it out if it is turned off", "Fix it.", [], false, "Fix it."],
  ["appends feedback", "Fix it.", [{ action: "APPEND", text: "F" }], false, "Fix it.\n\nF"],
  ["prepends feedback", "Fix it.", [{ action: "PREPEND", text: "F" }], false, "F\n\nFix it."],
  [
    "replaces the task, never the requirement",
    "Fix it.",
    [{ action: "REPLACE", text: "F" }],
    true,
    `F\n\n${requirement}`,
  ],
  [
    "restores the requirement if the task that named the tag is replaced",
    "Say <promise>DONE</promise> then.",
    [{ action: "REPLACE", text: "F" }],
    true,
    `F\n\n${requirement}`,
  ],
  [
    "combines several in order",
    "Fix it.",
    [
      { action: "APPEND", text: "1" },
      { action: "PREPEND", text: "2" },
      { action: "APPEND", text: "3" },
    ],
    false,
    "2\n\nFix it.\n\n1\n\n3",
  ],
  ["keeps replacement patterns unchanged", "$& {{x}}", [{ action: "APPEND", text: "$1" }], false, "$& {{x}}\n\n$1"],
])("%s", (_name, base, feedback, instructions, prompt) => {
  expect(build(base, feedback, instructions)).toBe(prompt);
});

test("puts the definition of done between the task and the feedback", () => {
  const proof = { scope: [], outcome: "It is fast.", acceptance: ["under 10 ms", "on a phone"] };
  const feedback: Feedback = [{ action: "APPEND", text: "F" }];
  expect(buildPrompt({ base: "Do it.", feedback, claim, completionInstructions: false, proof })).toBe(
    "Do it.\n\n## What done means\n\nIt is fast.\n\n- under 10 ms\n- on a phone\n\nF",
  );
});

test("a prompt that names the tag still gets the nonce", () => {
  const nonced = claimOf(claim, "7f3a");
  const parts = { base: "Say <promise>DONE</promise>.", feedback: [], completionInstructions: false, proof: NO_PROOF };
  expect(buildPrompt({ ...parts, claim: nonced, nonce: "7f3a" })).toContain("<response>DONE 7f3a</response>");
});
