import { InvalidArgumentError } from "commander";
import {
  dollarsIn,
  type OptionValue,
  secondsIn,
  wholeNumberIn,
  wholeNumberOrOffIn,
  wordsIn,
} from "../../../core/option-values.ts";
import { sinceIn } from "../../../core/report/since.ts";

function expecting<T>(read: (text: string) => OptionValue<T>) {
  return (text: string): T => {
    const found = read(text);
    if ("value" in found) return found.value;
    throw new InvalidArgumentError(`Expected ${found.expected}.`);
  };
}

/** A whole number from 1. */
export const wholeNumberArgument = expecting(wholeNumberIn);

/** A whole number from 0; 0 turns the option off. */
export const wholeNumberOrOff = expecting(wholeNumberOrOffIn);

export const dollarAmount = expecting(dollarsIn);

/** A duration, in seconds as in the settings. */
export const durationSeconds = expecting(secondsIn);

/** A duration that lies back, or a date. */
export const moment = expecting(sinceIn);

/** A text that is not empty: an empty value is usually an unset shell variable. */
export const nonEmptyText = expecting(wordsIn);

/** Collects the values of a repeatable option. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, nonEmptyText(value)];

/** Collects ids: `A,B` is the same as two values. */
export function idList(value: string, before: string[] | false = []): string[] {
  const ids = value.split(",").map((id) => id.trim());
  return [...(before || []), ...(ids.some(Boolean) ? ids.filter(Boolean) : [nonEmptyText("")])];
}

/** Collects whole numbers from 1. */
export const repeatedNumber = (value: string, before: number[] = []): number[] => [
  ...before,
  wholeNumberArgument(value),
];

/** The limits of the command line; times are in seconds. */
export interface LimitOptions {
  maxIterations?: number;
  maximumIterations?: number;
  maxCost?: number;
  maxTokens?: number;
  timeout?: number;
  stuckAfter?: number;
}
