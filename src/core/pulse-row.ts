import { printable } from "./ansi.ts";
import { fieldOf } from "./field.ts";
import type { Holder } from "./holder.ts";
import { jsonIn } from "./json-text.ts";
import type { Doing, ExecutionPulse, LoopPulse, Pulse } from "./pulse.ts";

/** Parses a stored pulse. Any program of the user can write to the file, so every value is checked; null: no pulse. */
export function pulseIn(row: { kind: string; id: string; atMs: number; text: string }): Pulse | null {
  const { kind, id, atMs, text } = row;
  const value = jsonIn(text);
  if (typeof value !== "object" || value === null) return null;
  if (kind === "loop") return { kind, id, atMs, pulse: loopPulseIn(value) };
  return kind === "execution" ? { kind, id, atMs, pulse: executionPulseIn(value) } : null;
}

const textIn = (value: unknown, name: string): string => printable(String(fieldOf(value, name) ?? ""));
const numberIn = (value: unknown, name: string): number => Number(fieldOf(value, name)) || 0;
const timeIn = (value: unknown, name: string): number | null => numberIn(value, name) || null;

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
  return kind ? { kind, text: textIn(value, "text"), sinceMs: numberIn(value, "sinceMs") } : null;
}

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
};

const executionPulseIn = (value: object): ExecutionPulse => ({
  holder: holderOf(fieldOf(value, "holder")),
  startedMs: numberIn(value, "startedMs"),
  target: textIn(value, "target"),
  slots: listIn(value, "slots").map((slot) =>
    slot ? { task: textIn(slot, "task"), sinceMs: numberIn(slot, "sinceMs") } : null,
  ),
  merging: listIn(value, "merging").map((task) => printable(String(task))),
});

const holderOf = (value: unknown): Holder =>
  fieldOf(value, "host") === undefined
    ? { pid: numberIn(value, "pid"), machine: textIn(value, "machine") }
    : { host: textIn(value, "host"), session: textIn(value, "session") };
