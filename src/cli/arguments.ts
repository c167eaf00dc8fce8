import { InvalidArgumentError } from "commander";
import { parseDuration } from "../core/duration.ts";

/** A whole number from 1. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || !/^\d+$/.test(text)) {
    throw new InvalidArgumentError("Expected a whole number from 1, such as 10.");
  }
  return value;
}

/** A whole number from 0, where 0 turns the thing off. */
export function wholeNumberOrOff(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 0, such as 3; 0 means never.");
  return text === "0" ? 0 : wholeNumber(text);
}

/** An amount of dollars. */
export function dollars(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("Expected an amount of dollars above 0, such as 2.50.");
  return value;
}

/** A span of time, in seconds as the settings have it. */
export function seconds(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms <= 0) throw new InvalidArgumentError("Expected a duration above 0, such as 90s, 5m or 2h.");
  return ms / 1_000;
}

/** Something, not nothing: an empty value is mostly a shell variable that was never set. */
export function words(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Expected some text, and it is empty.");
  return text;
}

/** Collects the values of an option that may be given again and again. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, words(value)];
