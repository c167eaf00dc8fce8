import { expect, test } from "vitest";
import { dollars } from "./usage.ts";

test.each<[number, string]>([
  [0, "$0.00"],
  [0.0024, "$0.0024"],
  [0.01, "$0.01"],
  [12.345, "$12.35"],
])("%d dollars are shown as %s", (usd, words) => {
  expect(dollars(usd)).toBe(words);
});
