import { printable } from "./ansi.ts";
import { fieldOf } from "./field.ts";
import type { Holder } from "./holder.ts";
import { jsonIn } from "./json-text.ts";
import type { Doing, ExecutionPulse, LoopPulse, Pulse } from "./pulse.ts";
import { isId } from "./task/task.ts";

/**
 * Parses a stored pulse: `{ atMs, pulse }`. Any program of the user can write one, so every value is checked, also the
 * id: it names a lease, and is shown. Null: no pulse.
 */
export function pulseIn({ kind, id, text }: { kind: string; id: string; text: string }): Pulse | null {
  const stored = jsonIn(text);
  const pulse = fieldOf(stored, "pulse");
  if (!isId(id) || typeof pulse !== "object" || pulse === null) return null;
  const atMs = momentIn(stored, "atMs");
  if (kind === "loop") return { kind, id, atMs, pulse: loopPulseIn(pulse) };
  return kind === "execution" ? { kind, id, atMs, pulse: executionPulseIn(pulse) } : null;
}

const MOST_CHARS = 4_000;
const MOST_ITEMS = 1_000;
/** The last moment that a date can be. */
const LAST_MS = 8_640_000_000_000_000;

const shown = (value: unknown): string => (typeof value === "string" ? printable(value.slice(0, MOST_CHARS)) : "");
const textIn = (value: unknown, name: string): string => shown(fieldOf(value, name));
const momentIn = (value: unknown, name: string): number => Math.min(numberIn(value, name), LAST_MS);
const timeIn = (value: unknown, name: string): number | null => momentIn(value, name) || null;

function numberIn(value: unknown, name: string): number {
  const number = fieldOf(value, name);
  return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : 0;
}

function loopPulseIn(value: object): LoopPulse {
  return {
    agent: textIn(value, "agent"),
    model: textIn(value, "model") || null,
    turnBeganMs: timeIn(value, "turnBeganMs"),
    doing: doingIn(fieldOf(value, "doing")),
    heardMs: timeIn(value, "heardMs"),
    costUsd: numberIn(value, "costUsd"),
    tokens: numberIn(value, "tokens"),
  };
}

const DOINGS: readonly Doing["kind"][] = ["tool", "guardrail", "check", "effect", "set-up"];

function doingIn(value: unknown): Doing | null {
  const kind = DOINGS.find((one) => one === fieldOf(value, "kind"));
  return kind ? { kind, text: textIn(value, "text"), sinceMs: momentIn(value, "sinceMs") } : null;
}

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list.slice(0, MOST_ITEMS) : [];
};

const executionPulseIn = (value: object): ExecutionPulse => ({
  holder: holderOf(fieldOf(value, "holder")),
  startedMs: momentIn(value, "startedMs"),
  target: textIn(value, "target"),
  slots: listIn(value, "slots").map((slot) =>
    slot ? { task: textIn(slot, "task"), sinceMs: momentIn(slot, "sinceMs") } : null,
  ),
  merging: listIn(value, "merging").map(shown),
});

const holderOf = (value: unknown): Holder =>
  fieldOf(value, "host") === undefined
    ? { pid: numberIn(value, "pid"), machine: textIn(value, "machine") }
    : { host: textIn(value, "host"), session: textIn(value, "session") };
