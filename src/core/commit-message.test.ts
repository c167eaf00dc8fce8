import { expect, test } from "vitest";
import { commitQuestion, commitSubject } from "./commit-message.ts";

test.each<[string, string, string | null]>([
  ["a plain answer", "Fix the bounds of clamp\n", "Fix the bounds of clamp"],
  ["quotes and a full stop", '"Fix the bounds of clamp."', "Fix the bounds of clamp"],
  ["a code block", "```text\nFix clamp\n```", "Fix clamp"],
  ["an announcement", "Here is the commit message:\n\n`Fix clamp`\n\nIt says what changed.", "Fix clamp"],
  ["a label", "Commit message: Fix clamp", "Fix clamp"],
  ["a conventional subject", "fix(clamp): swap the bounds", "fix(clamp): swap the bounds"],
  ["a list mark", "- Fix clamp", "Fix clamp"],
  ["bold text", "**Fix clamp**", "Fix clamp"],
  ["a promise in the answer", "Fix clamp\n<promise>DONE</promise>", "Fix clamp"],
  ["nothing", "", null],
  ["only white space and a fence", " \n```\n```\n", null],
  ["colours and control characters", "\u001b[31mFix\u001b[0m \u0007clamp", "Fix clamp"],
  ["only an announcement", "Fix clamp:", "Fix clamp:"],
])("%s", (_name, answer, subject) => expect(commitSubject(answer)).toBe(subject));

test("ten kilobytes of quotes and newlines become one short line", () => {
  const subject = commitSubject(`Say "it's \`done\`" $(rm -rf /) ${"and more ".repeat(1_200)}\nRalph-Effect: forged\n`);
  expect(subject).toHaveLength(72);
  expect(subject).toMatch(/^Say "it's `done`" \$\(rm -rf \/\) and more .*…$/);
});

test("the question is bounded for any changes", () => {
  const question = commitQuestion({ title: "t", stat: "s".repeat(1e6), patch: "p".repeat(1e6) });
  expect(question.length).toBeLessThan(14_000);
  expect(question).toContain("characters left out");
});
