import { expect, test } from "vitest";
import { REVIEW_FORM, reviewIn } from "./review.ts";
import type { ReadReview } from "./schema/review.ts";
import { readReview } from "./schema/review.ts";

test.each<[string, string, string | null]>([
  ["none", "All good. Approved!", null],
  ["one", "x <review>{1}</review> y", "{1}"],
  ["the last of several", "<review>{1}</review>\n<review>{2}</review>", "{2}"],
  ["over several lines, in any case", "<Review>\n{1}\n</REVIEW>", "\n{1}\n"],
  ["an unfinished one", "<review>{1}", ""],
  ["one before a mention", "<review>{1}</review> is my <review>", "{1}"],
])("finds %s", (_name, message, inner) => {
  expect(reviewIn(message)).toBe(inner);
});

const approved = (findings: string[] = []): ReadReview => ({ review: { approved: true, findings } });
const refused = (findings: string[] = []): ReadReview => ({ review: { approved: false, findings } });

test.each<[string, string, ReadReview]>([
  ["an approval", '{"approved": true, "findings": []}', approved()],
  ["one without findings", '{"approved": true}', approved()],
  ["faults", '{"approved": false, "findings": ["a.ts:1 x", " ", "b"]}', refused(["a.ts:1 x", "b"])],
  [
    "faults with their locations",
    '{"approved": false, "findings": [{"file": "a.ts", "line": 3, "text": "x", "severity": "high"}, {"text": "y"}]}',
    refused(["a.ts:3 x", "y"]),
  ],
  ["one in a code fence", '\n```json\n{"approved": true, "findings": null}\n```\n', approved()],
])("reads %s", (_name, text, read) => {
  expect(readReview(text)).toEqual(read);
});

test.each<[string, string, string]>([
  ["text that is not JSON", "approved", "expected a JSON object"],
  ["an unfinished one", "", "expected a JSON object"],
  ["the form itself", reviewIn(REVIEW_FORM) ?? "", "expected a JSON object"],
  ["a word instead of yes or no", '{"approved": "yes"}', 'approved: expected true or false, got "yes"'],
  ["a missing answer", '{"findings": []}', "approved: missing, expected true or false"],
  ["invalid findings", '{"approved": false, "findings": "x"}', 'findings: expected a list of findings, got "x"'],
])("does not accept %s as a review", (_name, text, fault) => {
  expect(readReview(text)).toEqual({ fault });
});

test("limits what the journal stores of it", () => {
  const read = readReview(JSON.stringify({ approved: false, findings: Array(100).fill("x".repeat(10_000)) }));
  const findings = "review" in read ? read.review.findings : [];
  expect(findings).toHaveLength(20);
  expect(Math.max(...findings.map(({ length }) => length))).toBeLessThan(2_100);
});
