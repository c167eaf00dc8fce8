import { exactText, type Known, type Meaning, meaningsOf } from "./values.ts";
import type { Word } from "./words.ts";

/** What a command does with a file that one of its words may name. */
export type Role =
  | "run"
  /** Sourced, loaded, or read as configuration. */
  | "included"
  /** Given to a program that may run it. */
  | "named"
  /** Given to a script, which may run it. */
  | "argument"
  /** Named in a text, such as code for an interpreter. */
  | "text"
  | "read";

/** A file, folder or module that a command may use. */
export interface Use {
  role: Role;
  meaning: Meaning;
  /** How the text leads to a file. */
  as: "path" | "python" | "node" | "go";
  /** Whether a shell reads it as commands. */
  shell: boolean;
  /** Whether it is run as a test. */
  test: boolean;
  /** Only these names below a folder; null: all. */
  names: readonly string[] | null;
}

export interface RoleContext {
  known: Known;
  /** Whether a word names an existing file or folder of the repository. */
  exists(meaning: Meaning, as?: Use["as"]): boolean;
  /** Whether a program reads configuration that its options name. */
  isTool(name: string): boolean;
}

/** The uses of everything that a word may stand for. */
export const usesOfWord = (word: Word, known: Known, role: Role, more: Partial<Use> = {}): Use[] =>
  meaningsOf(word, known).map((meaning) => ({ ...PLAIN, role, meaning, ...more }));

const PLAIN = { as: "path", shell: false, test: false, names: null } as const;

const MOST_IN_TEXT = 200;

/** The paths in a text that is no shell command. */
export function inText(text: string): Use[] {
  const words = new Set(text.match(/[\w@.~/+-]*[\w/][./][\w@.~/+-]*/g));
  return [...words].slice(0, MOST_IN_TEXT).map((path) => ({ ...PLAIN, role: "text", meaning: exactText(path) }));
}
