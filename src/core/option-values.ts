import { parseDuration } from "./duration.ts";

/** The value of an option, or the expected format if it is invalid. */
export type OptionValue<T> = { value: T } | { expected: string };

/** A whole number from 1. */
export function wholeNumberIn(text: string): OptionValue<number> {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1
    ? { value }
    : { expected: "a whole number from 1, such as 10" };
}

/** A whole number from 0, where 0 turns the thing off. */
export function wholeNumberOrOffIn(text: string): OptionValue<number> {
  if (text === "0") return { value: 0 };
  return /^\d+$/.test(text) ? wholeNumberIn(text) : { expected: "a whole number from 0, such as 3; 0 means never" };
}

/** An amount of dollars. */
export function dollarsIn(text: string): OptionValue<number> {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  return Number.isFinite(value) && value > 0 ? { value } : { expected: "an amount of dollars above 0, such as 2.50" };
}

/** A duration, in seconds as in the settings. */
export function secondsIn(text: string): OptionValue<number> {
  const ms = parseDuration(text);
  return ms !== null && ms > 0 ? { value: ms / 1_000 } : { expected: "a duration above 0, such as 90s, 5m or 2h" };
}

/** Text that is not empty. */
export const wordsIn = (text: string): OptionValue<string> =>
  text.trim() === "" ? { expected: "text that is not empty" } : { value: text };
