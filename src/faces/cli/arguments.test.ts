import { expect, test } from "vitest";
import {
  dollarsArgument,
  repeated,
  secondsArgument,
  textArgument,
  wholeNumberArgument,
  wholeNumberOrOff,
} from "./arguments.ts";

type Parser = (text: string) => unknown;
const NEVER_NUMBERS = ["", " ", "-1", "many", "1e3", "0x10", "٣", "NaN", "Infinity", "1,5"];

test.each<[string, Parser, string[]]>([
  ["a count", wholeNumberArgument, [...NEVER_NUMBERS, "0", "1.5", "99999999999999999999"]],
  ["a count or off", wholeNumberOrOff, [...NEVER_NUMBERS, "1.5", "99999999999999999999"]],
  ["dollars", dollarsArgument, [...NEVER_NUMBERS, "0", "0.0"]],
  ["a duration", secondsArgument, [...NEVER_NUMBERS, "0", "0ms", "5 parsecs", "m", "1h30m"]],
  ["words", textArgument, ["", " \n"]],
  ["repeated words", repeated, [""]],
])("%s is refused with what was expected", (_name, parse, values) => {
  for (const value of values) expect(() => parse(value), JSON.stringify(value)).toThrow(/^Expected .+\.$/);
});

test.each<[Parser, string, unknown]>([
  [wholeNumberArgument, "10", 10],
  [wholeNumberOrOff, "0", 0],
  [wholeNumberOrOff, "3", 3],
  [dollarsArgument, "2.50", 2.5],
  [dollarsArgument, ".5", 0.5],
  [secondsArgument, "90", 90],
  [secondsArgument, "500ms", 0.5],
  [secondsArgument, "1.5h", 5400],
  [textArgument, "done", "done"],
])("%o takes %s", (parse, text, value) => {
  expect(parse(text)).toBe(value);
});
