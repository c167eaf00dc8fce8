import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ClaimReading } from "./claim.ts";
import { readClaim } from "./message.ts";
import { type ClaimPolicy, presets } from "./policy.ts";

interface Case {
  id: string;
  promise: string;
  text: string;
  expect: "claim" | "none" | "contradicted";
  why: string;
  prompt?: string;
  preset?: "workflow" | "strict";
  /** Checks back the claim. */
  backed?: true;
}

function casesOf(file: string): [string, Case][] {
  const lines = readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Case).map((found) => [`${found.id}: ${found.why}`, found]);
}

function policyOf({ text, promise, preset }: Case): ClaimPolicy {
  if (preset === "strict") return presets.pipeline(promise, { strict: true });
  if (preset === "workflow") return presets.workflow(promise);
  return /<response>/i.test(text) ? presets.harness(promise) : presets.hook(promise);
}

function outcome({ claim, doubts }: ClaimReading): Case["expect"] {
  if (!claim) return "none";
  return doubts.some(({ is }) => is === "contradicted") ? "contradicted" : "claim";
}

test.each([
  ...casesOf("claims.corpus.jsonl"),
  ...casesOf("claims.further.jsonl"),
  ...casesOf("claims.fresh.jsonl"),
  ...casesOf("claims.tongues.jsonl"),
])("%s", (_name, found) => {
  const policy: ClaimPolicy = { ...policyOf(found), ...(found.backed ? { scope: "iteration" } : {}) };
  const reading = readClaim(found.text, policy, found.prompt === undefined ? {} : { prompt: found.prompt });
  expect(outcome(reading)).toBe(found.expect);
});
