import { expect, test } from "vitest";
import { claimOf, presets } from "./claim/policy.ts";
import type { TaskPart } from "./loop/spec.ts";
import { buildPrompt } from "./prompt.ts";
import { NO_PROOF } from "./proof/proof.ts";
import { REVIEW_FORM } from "./review.ts";
import type { LoopRole } from "./task/role.ts";

const part = (place: LoopRole): TaskPart => ({
  task: "TASK-001",
  place,
  execution: "e1",
  description: "It greets, and is committed",
  method: "npm test  (at most 5m)",
});
const build = (place: LoopRole, more: Partial<Parameters<typeof buildPrompt>[0]> = {}) =>
  buildPrompt({
    base: "## Task Information",
    feedback: [{ action: "APPEND", text: "FEEDBACK" }],
    claim: presets.pipeline("GREETS"),
    completionInstructions: true,
    proof: { scope: [], outcome: "People are greeted", acceptance: ["It says hello", "It says goodbye"] },
    part: part(place),
    at: { n: 3, maxIterations: 15 },
    ...more,
  });

test("a stage's prompt ends with its place, the definition of done, and how to claim it", () => {
  expect(build("coder")).toBe(`## Task Information

FEEDBACK

## Ralph Loop Status

- **Iteration**: 3/15
- **Agent**: coder

## Task Outcome (What "Done" Means)

People are greeted

## Acceptance Criteria

- [ ] It says hello
- [ ] It says goodbye

## Your Completion Requirements

**Success Criteria for coder:**
It greets, and is committed

When all of this is true, and only then, end your last message with this line:

<promise>GREETS</promise>

- It asks for verification, which Ralph runs itself:
  - npm test  (at most 5m)
- A false promise is detected: the next prompt says why, and the loop continues.
- If you cannot continue without the user, say what is missing in <blocked>…</blocked> instead.

The loop continues until the work is proven done, at most until iteration 15.`);
});

test.each<[LoopRole, boolean]>([
  ["coder", false],
  ["reviewer", true],
  ["tester", true],
  ["qa", true],
  ["conflict", false],
])("a %s is asked for a review: %s", (place, asked) => {
  expect(build(place).includes(REVIEW_FORM)).toBe(asked);
});

test("it appears for any base prompt, once, and with the promise of the turn", () => {
  const claim = claimOf(presets.pipeline("GREETS"), "7f3a");
  const text = build("coder", { base: "Say <promise>x</promise>", claim, nonce: "7f3a" });
  expect(text.match(/<promise>GREETS 7f3a<\/promise>/g)).toHaveLength(1);
  expect(text).not.toContain("## What done means");
  expect(build("qa", { feedback: [{ action: "REPLACE", text: "R" }] })).toMatch(/^R\n\n## Ralph Loop Status/);
});

test("a task without an outcome still has one, and no empty list", () => {
  const text = build("coder", { proof: NO_PROOF, at: { n: 1, maxIterations: null } });
  expect(text).toContain("Complete the assigned task.");
  expect(text).not.toContain("## Acceptance Criteria");
  expect(text).toContain("- **Iteration**: 1\n");
});
