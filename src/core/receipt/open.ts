import { hideKeys, openValue } from "../secrets.ts";

/** Half a character, as a text may end with that was cut: other readers of JSON refuse it. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

export const open = (text: string): string => hideKeys(text.replace(LONE_SURROGATE, "\uFFFD"));

/** The same for a value of any shape; what a key's name calls a secret becomes null. */
export function openDeep(value: unknown, key = ""): unknown {
  if (typeof value === "string") return openValue(key, value) === null ? null : open(value);
  if (Array.isArray(value)) return value.map((item) => openDeep(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [open(name), openDeep(member, name)]));
}

/** A command with whether anything in it had to be hidden: it cannot be run again then. */
export function maskedCommand(command: string): { command: string; masked?: true } {
  const shown = open(command);
  return shown === command ? { command } : { command: shown, masked: true };
}
