import { stripAnsi } from "../../../core/ansi.ts";
import { type Complaint, type Position, tellComplaints } from "../../../core/complaints.ts";
import { RalphError } from "../../../core/errors.ts";
import type { ImportFormat } from "../../../core/task/import-format.ts";

/** A task in a file, before it gets its id. */
export interface TaskDraft {
  id: string | null;
  /** Identifies it in the file: its id or its text. */
  story: string;
  url: string | null;
  title: string;
  description: string;
  outcome: string;
  criteria: readonly string[];
  priority: number | null;
  /** Ids as written in the file. */
  dependsOn: readonly string[];
  assignee: string;
  /** Its position, determined only for errors. */
  place(): Position;
}

export interface Imported {
  format: Exclude<ImportFormat, "yaml">;
  drafts: readonly TaskDraft[];
  /** The names of stories that are done and skipped. */
  done: readonly string[];
  /** The project's name in the file; empty if there is none. */
  project: string;
}

// Control characters do not belong in a title, and half a surrogate pair cannot be stored.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const HALVES = /\p{Surrogate}/gu;

/** A text without control characters and colours. */
export const plainText = (text: string): string =>
  stripAnsi(text).replace(/\r\n?/g, "\n").replace(CONTROLS, "").replace(HALVES, "\ufffd").trim();

export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, " ");

const LONGEST_TITLE = 200;

interface Story {
  id: string | null;
  title: string;
  description?: string;
  /** The expected result, if it is not the whole description. */
  outcome?: string;
  criteria?: readonly string[];
  priority?: string;
  dependsOn?: readonly string[];
  assignee?: string;
  url?: string | null;
  story: string;
  place(): Position;
}

/** A draft with clean texts. Without a separate outcome, it is the description or the title. */
export function draftOf(given: Story): TaskDraft {
  const whole = plainLine(given.title) || plainLine(given.id ?? "") || "untitled";
  const description = plainText(given.description ?? "");
  const title = whole.length > LONGEST_TITLE ? `${whole.slice(0, LONGEST_TITLE - 1)}…`.replace(HALVES, "") : whole;
  return {
    id: given.id,
    story: given.story,
    url: given.url ?? null,
    title,
    description: description || (title === whole ? "" : whole),
    outcome: plainText(given.outcome ?? "") || description || whole,
    criteria: (given.criteria ?? []).map(plainText).filter((text) => text !== ""),
    priority: priorityOf(given.priority ?? ""),
    dependsOn: given.dependsOn ?? [],
    assignee: plainLine(given.assignee ?? ""),
    place: given.place,
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

/** `1`, `P2`, `1 (highest)` or `high` as a priority; null if it is none. */
export function priorityOf(text: string): number | null {
  const [, number, word] = /^\s*(?:p\s?(?=\d))?(?:(\d{1,6})(?![\d.]*\w)|([a-z]+))\b/i.exec(text) ?? [];
  if (number !== undefined) return Math.max(1, Number(number));
  return word === undefined ? null : (WORDS[word.toLowerCase()] ?? null);
}

/** An error that lists the mistakes of a file. Nothing is imported. `all`: their number, if not all are given. */
export const importRefused = (
  path: string,
  complaints: readonly Complaint[],
  { hint = FIX, all }: { hint?: string | undefined; all?: number } = {},
): RalphError => new RalphError("import-invalid", tellComplaints(path, complaints, all), { hint });

// Finding the positions of thousands of mistakes would take too long.
export const MOST_PLACED = 20;

const FIX = "fix the file and import it again; nothing was imported";
