import { InvalidArgumentError } from "commander";
import {
  dollarsIn,
  type OptionValue,
  secondsIn,
  wholeNumberIn,
  wholeNumberOrOffIn,
  wordsIn,
} from "../../../core/option-values.ts";

function expecting<T>(read: (text: string) => OptionValue<T>) {
  return (text: string): T => {
    const found = read(text);
    if ("value" in found) return found.value;
    throw new InvalidArgumentError(`Expected ${found.expected}.`);
  };
}

/** A whole number from 1. */
export const wholeNumberArgument = expecting(wholeNumberIn);

/** A whole number from 0, where 0 turns the thing off. */
export const wholeNumberOrOff = expecting(wholeNumberOrOffIn);

export const dollarAmount = expecting(dollarsIn);

/** A span of time, in seconds as the settings have it. */
export const durationSeconds = expecting(secondsIn);

/** Something, not nothing: an empty value is mostly a shell variable that was never set. */
export const nonEmptyText = expecting(wordsIn);

/** Collects the values of an option that may be given again and again. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, nonEmptyText(value)];

/** Limits as the command line gives them: `--maximum-iterations` is another spelling, times are in seconds. */
export interface LimitOptions {
  maxIterations?: number;
  maximumIterations?: number;
  maxCost?: number;
  maxTokens?: number;
  timeout?: number;
  stuckAfter?: number;
}
