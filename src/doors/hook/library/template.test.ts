import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CONTINUATION_PROMPT_TEMPLATE } from "./constants.ts";
import { buildContinuationPrompt } from "./template.ts";

const text = fc.oneof(fc.string(), fc.constantFrom("$&", "$1$$", "{{MAX}}", "{{PROMPT}}", "---\n---", "$<PROMISE>"));

test("any task and promise arrive unchanged", () => {
  fc.assert(
    fc.property(text, text, (prompt, completionPromise) => {
      const values = { iteration: 2, maxIterations: 9, completionPromise, prompt };
      const filled = buildContinuationPrompt(CONTINUATION_PROMPT_TEMPLATE, values);
      expect(filled.startsWith("[RALPH LOOP - ITERATION 2/9]\n")).toBe(true);
      expect(filled.endsWith(`\nOriginal task:\n${prompt}`)).toBe(true);
      expect(filled).toContain(`output: <promise>${completionPromise}</promise>\n`);
    }),
  );
});
