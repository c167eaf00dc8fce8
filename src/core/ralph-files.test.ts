import { expect, test } from "vitest";
import { isRalphFile } from "./ralph-files.ts";

test.each([
  ".ralph/guardrail_1_npm_test.log",
  "packages/api/.ralph/guardrail_12_x_3f2a91bc.log",
  ".ralph/execution.jsonl",
  ".ralph/receipts/3f2a91bc.json",
  ".ralph/.gitignore",
  ".ralph/.gitignore.4711.tmp",
  ".ralph/guardrail_1_x.log/inside",
])("%s is one of Ralph's files", (path) => {
  expect(isRalphFile(path)).toBe(true);
});

test.each([
  ".ralph/settings.json",
  ".ralph/settings.local.json",
  ".ralph/workflows/guardrail_1_x.log",
  ".ralph/plugins/check.mjs",
  ".ralph/receipts/tool.mjs",
  ".ralph/artifacts/plan.md",
  ".gitignore",
  "execution.jsonl",
  "my.ralph/execution.jsonl",
])("%s is an ordinary file", (path) => {
  expect(isRalphFile(path)).toBe(false);
});
