import { stripAnsi } from "../ansi.ts";
import { withoutNotes } from "../claim/notes.ts";
import type { LoopSpec } from "../loop/spec.ts";
import { isRalphFile } from "../ralph-files.ts";
import { hideKeys } from "../secrets.ts";

/** What a prompt says about the iterations before it. Every part of it is bounded. */
export interface Memory {
  /** The agent's last message, and the iteration it ended. */
  said: { n: number; text: string } | null;
  /** The last result of each check, by name, and the iteration it is of; 0: before any work. */
  checks: Readonly<Record<string, CheckMemory>>;
  /** The snapshot that `changed` is about. */
  snapshot: string | null;
  /** What has changed since the loop began; null if unknown. */
  changed: (ChangedFiles & { n: number }) | null;
  commits: NewCommits | null;
  /** The agent's notes, the oldest first. */
  notes: readonly Note[];
  /** The number of the last note; numbers are not used again. */
  lastNote: number;
}

/** What the agent has noted for later iterations. */
export interface Note {
  id: number;
  n: number;
  text: string;
}

export interface CheckMemory {
  n: number;
  is: "pass" | "fail" | "unknown";
  reason: string;
}

/** The files that differ from the start of the loop: the first ones, and the numbers of all. */
export interface ChangedFiles {
  files: readonly FileMemory[];
  count: number;
  added: number;
  removed: number;
}

export interface FileMemory {
  path: string;
  change: "added" | "changed" | "deleted" | "renamed";
  /** Number of lines; null for a binary file. */
  added: number | null;
  removed: number | null;
}

/** The commits since the loop began: the newest ones, the oldest of them first, and the number of all. */
export interface NewCommits {
  last: readonly { hash: string; subject: string }[];
  count: number;
}

export const NO_MEMORY: Memory = {
  said: null,
  checks: {},
  snapshot: null,
  changed: null,
  commits: null,
  notes: [],
  lastNote: 0,
};

/** The maximum numbers and lengths of what is carried. */
export const MOST = {
  files: 20,
  commits: 10,
  checks: 20,
  notes: 20,
  messageChars: 1_500,
  nameChars: 80,
  reasonChars: 160,
};

interface Remembering {
  spec: Pick<LoopSpec, "memory" | "context"> | null;
  driver: string;
}

/**
 * Whether the prompts of a loop describe its earlier iterations. In a continued session and in a host's, the agent
 * knows them itself.
 */
export const remembers = ({ spec, driver }: Remembering): boolean =>
  spec?.memory === true && spec.context === "fresh" && driver !== "host";

const LEFT_OUT = " […] ";

/** The beginning and the end of an agent's message, without secrets and notes. */
export function carriedMessage(message: string): string {
  const text = hideKeys(withoutNotes(stripAnsi(message))).trim();
  if (text.length <= MOST.messageChars) return text;
  const head = Math.floor(MOST.messageChars / 3);
  return text.slice(0, head) + LEFT_OUT + text.slice(head + LEFT_OUT.length - MOST.messageChars);
}

/** The bounded form of a list of changed files, without those that Ralph writes itself. */
export function changedFiles(all: readonly FileMemory[]): ChangedFiles {
  const files = all.filter(({ path }) => !isRalphFile(path));
  const sum = (of: (file: FileMemory) => number | null) => files.reduce((total, file) => total + (of(file) ?? 0), 0);
  return {
    files: files.slice(0, MOST.files).map(({ path, change, added, removed }) => ({ path, change, added, removed })),
    count: files.length,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  };
}
