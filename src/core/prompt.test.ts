import { expect, test } from "vitest";
import { presets } from "./claim/policy.ts";
import type { Feedback } from "./loop/state.ts";
import { buildPrompt, completionRequirement } from "./prompt.ts";

const claim = presets.harness("DONE");
const requirement = completionRequirement(claim);
const build = (base: string, feedback: Feedback = [], completionInstructions = true) =>
  buildPrompt({ base, feedback, claim, completionInstructions });

test("the requirement names the tag and how to say that one cannot go on", () => {
  expect(requirement).toContain("<response>DONE</response>");
  expect(requirement).toContain("<blocked>");
});

test.each<[string, string, Feedback, boolean, string]>([
  ["adds the requirement", "Fix it.\n", [], true, `Fix it.\n\n${requirement}`],
  [
    "leaves it out where the prompt names the tag",
    "Say <promise>DONE</promise> then.",
    [],
    true,
    "Say <promise>DONE</promise> then.",
  ],
  ["leaves it out where it is turned off", "Fix it.", [], false, "Fix it."],
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
    "gives the requirement back where the task that named the tag is replaced",
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
  ["keeps replacement patterns as they are", "$& {{x}}", [{ action: "APPEND", text: "$1" }], false, "$& {{x}}\n\n$1"],
])("%s", (_name, base, feedback, instructions, prompt) => {
  expect(build(base, feedback, instructions)).toBe(prompt);
});
