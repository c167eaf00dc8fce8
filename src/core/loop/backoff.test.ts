import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

test.each([
  ["overloaded", 1, 1, 2_000],
  ["overloaded", 3, 1, 8_000],
  ["overloaded", 1, 0, 1_000],
  ["network", 50, 1, 300_000],
  ["rate-limited", 1, 1, 60_000],
  ["interrupted", 1, 1, null],
  ["bad-session", 2, 1, null],
] as const)("%s for the %jth time, jitter %j: %j ms", (why, times, jitter, ms) =>
  expect(backoffMs(why, times, jitter)).toBe(ms));
