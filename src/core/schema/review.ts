import * as z from "zod";
import { cut } from "../excerpt.ts";
import { jsonIn } from "../json-text.ts";
import type { Review } from "../loop/events.ts";
import { faultsOf } from "./faults.ts";
import { expected } from "./messages.ts";

const MOST_FINDINGS = 20;
const FINDING_CHARS = 2_000;

const words = z.string(expected("text"));
const finding = z.union(
  [words, z.object({ file: words.nullish(), line: z.union([z.int(), words]).nullish(), text: words })],
  expected("text, or { file, line, text }"),
);
const review = z.object(
  {
    approved: z.boolean(expected("true or false")),
    findings: z.array(finding, expected("a list of findings")).nullish(),
  },
  expected("{ approved, findings }"),
);

/** An agent's review of another agent's work, or why it cannot be read. */
export type ReadReview = { review: Review } | { fault: string };

/** Parses a review: one JSON object, perhaps with a code fence around it. Bounded. */
export function readReview(text: string): ReadReview {
  const value = jsonIn(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  if (value === undefined) return { fault: "expected a JSON object" };
  const { data, error } = review.safeParse(value);
  if (!data) return { fault: faultsOf(error)[0]?.text ?? "expected { approved, findings }" };
  const findings = (data.findings ?? []).map(findingText).filter((one) => one !== "");
  return { review: { approved: data.approved, findings: findings.slice(0, MOST_FINDINGS) } };
}

function findingText(given: z.infer<typeof finding>): string {
  if (typeof given === "string") return cut(given.trim(), FINDING_CHARS);
  const place = [given.file, given.line].filter((part) => part !== null && part !== undefined && part !== "").join(":");
  return cut([place, given.text].filter(Boolean).join(" ").trim(), FINDING_CHARS);
}
