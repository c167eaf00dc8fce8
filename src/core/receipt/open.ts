import { hideKeys, openValue } from "../secrets.ts";

/** A lone surrogate, which a truncated text may end with: other JSON parsers refuse it. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

export const open = (text: string): string => hideKeys(text.replace(LONE_SURROGATE, "\uFFFD"));

/** The same for any value; values of keys named like a secret become null. */
export function openDeep(value: unknown, key = ""): unknown {
  if (typeof value === "string") return openValue(key, value) === null ? null : open(value);
  if (Array.isArray(value)) return value.map((item) => openDeep(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [open(name), openDeep(member, name)]));
}

/** A command, and whether part of it was hidden, so that it cannot run again. */
export function maskedCommand(command: string): { command: string; masked?: true } {
  const shown = open(command);
  return shown === command ? { command } : { command: shown, masked: true };
}
