import { expect, test } from "vitest";
import {
  dollarAmount,
  durationSeconds,
  nonEmptyText,
  repeated,
  wholeNumberArgument,
  wholeNumberOrOff,
} from "./arguments.ts";

type Parser = (text: string) => unknown;
const NEVER_NUMBERS = ["", " ", "-1", "many", "1e3", "0x10", "٣", "NaN", "Infinity", "1,5"];

test.each<[string, Parser, string[]]>([
  ["a count", wholeNumberArgument, [...NEVER_NUMBERS, "0", "1.5", "99999999999999999999"]],
  ["a count or off", wholeNumberOrOff, [...NEVER_NUMBERS, "1.5", "99999999999999999999"]],
  ["dollars", dollarAmount, [...NEVER_NUMBERS, "0", "0.0"]],
  ["a duration", durationSeconds, [...NEVER_NUMBERS, "0", "0ms", "5 parsecs", "m", "30m1h", "5m5m", "1h30"]],
  ["words", nonEmptyText, ["", " \n"]],
  ["repeated words", repeated, [""]],
])("%s is refused with the expected value", (_name, parse, values) => {
  for (const value of values) expect(() => parse(value), JSON.stringify(value)).toThrow(/^Expected .+\.$/);
});

test.each<[Parser, string, unknown]>([
  [wholeNumberArgument, "10", 10],
  [wholeNumberOrOff, "0", 0],
  [wholeNumberOrOff, "3", 3],
  [dollarAmount, "2.50", 2.5],
  [dollarAmount, ".5", 0.5],
  [durationSeconds, "90", 90],
  [durationSeconds, "500ms", 0.5],
  [durationSeconds, "1.5h", 5400],
  [durationSeconds, "1h30m", 5400],
  [durationSeconds, "5min", 300],
  [nonEmptyText, "done", "done"],
])("%o accepts %s", (parse, text, value) => {
  expect(parse(text)).toBe(value);
});
