import { stripAnsi } from "../../../core/ansi.ts";
import type { Position } from "../../../core/complaints.ts";
import type { ImportFormat } from "../../../core/task/import-format.ts";

/** What a file says about a task that is still to be named. */
export interface TaskDraft {
  /** Its id as the file has it; null where it has none. */
  id: string | null;
  /** What finds it again in the file: its id, or its text. */
  story: string;
  url: string | null;
  title: string;
  description: string;
  outcome: string;
  criteria: readonly string[];
  priority: number | null;
  /** Ids as the file has them. */
  dependsOn: readonly string[];
  assignee: string;
  /** Where it stands. Looked for only where something is wrong with it. */
  place(): Position;
}

/** A file, read. */
export interface Imported {
  format: Exclude<ImportFormat, "yaml">;
  drafts: readonly TaskDraft[];
  /** What the file calls the things that are done and left out. */
  done: readonly string[];
  /** What the file calls itself; empty where it does not say. */
  project: string;
}

// A character that moves the cursor has no business in a title; half a surrogate pair could not be stored.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const HALVES = /\p{Surrogate}/gu;

/** Somebody else's text, of several lines. */
const plainText = (text: string): string =>
  stripAnsi(text).replace(/\r\n?/g, "\n").replace(CONTROLS, "").replace(HALVES, "\ufffd").trim();

/** Somebody else's text on one line. */
export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, " ");

const LONGEST_TITLE = 200;

interface Told {
  id: string | null;
  title: string;
  description?: string;
  /** What is the case in the end, where that is not the whole description. */
  outcome?: string;
  criteria?: readonly string[];
  priority?: string;
  dependsOn?: readonly string[];
  assignee?: string;
  url?: string | null;
  /** What finds it again in the file. */
  story: string;
  place(): Position;
}

/** A draft with clean texts. What the task is about is its outcome, unless there is more than a title. */
export function draftOf(told: Told): TaskDraft {
  const whole = plainLine(told.title) || plainLine(told.id ?? "") || "untitled";
  const description = plainText(told.description ?? "");
  const title = whole.length > LONGEST_TITLE ? `${whole.slice(0, LONGEST_TITLE - 1)}…`.replace(HALVES, "") : whole;
  return {
    id: told.id,
    story: told.story,
    url: told.url ?? null,
    title,
    description: description || (title === whole ? "" : whole),
    outcome: plainText(told.outcome ?? "") || description || whole,
    criteria: (told.criteria ?? []).map(plainText).filter((text) => text !== ""),
    priority: priorityOf(told.priority ?? ""),
    dependsOn: told.dependsOn ?? [],
    assignee: plainLine(told.assignee ?? ""),
    place: told.place,
  };
}

const WORDS: Readonly<Record<string, number>> = {
  critical: 1,
  urgent: 1,
  blocker: 1,
  highest: 1,
  high: 1,
  medium: 2,
  normal: 2,
  moderate: 2,
  low: 3,
  lowest: 4,
  trivial: 4,
};

/** `1`, `P2`, `1 (highest)` or `high` as a priority; null: no such thing. */
export function priorityOf(text: string): number | null {
  const [, number, word] = /^\s*(?:p\s?(?=\d))?(?:(\d{1,6})(?![\d.]*\w)|([a-z]+))\b/i.exec(text) ?? [];
  if (number !== undefined) return Math.max(1, Number(number));
  return word === undefined ? null : (WORDS[word.toLowerCase()] ?? null);
}
