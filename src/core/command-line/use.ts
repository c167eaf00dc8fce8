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

/** The use of a path, or of what it stands for. */
export const useOf = (path: string | Meaning, role: Role, more: Partial<Use> = {}): Use => ({
  role,
  meaning: typeof path === "string" ? exactText(path) : path,
  as: "path",
  shell: false,
  test: false,
  names: null,
  ...more,
});

/** The uses of everything that a word may stand for. */
export const usesOfWord = (word: Word, known: Known, role: Role, more: Partial<Use> = {}): Use[] =>
  meaningsOf(word, known).map((meaning) => useOf(meaning, role, more));

const MOST_IN_TEXT = 200;

/** The paths in a text that is code for an interpreter, and the modules that it imports. */
export function inText(text: string, interpreter: string | null): Use[] {
  const words = new Set(text.match(/[\w@.~/+-]*[\w./][./][\w@.~/+-]*/g));
  const modules = interpreter === "python" ? text.matchAll(/\b(?:from|import)[ \t]+([\w.]+)/g) : [];
  return [
    ...[...words]
      .slice(0, MOST_IN_TEXT)
      .map((path) => useOf(path, "text", { as: interpreter === "node" ? "node" : "path" })),
    ...[...modules].map(([, name = ""]) => useOf(name, "text", { as: "python" })),
  ];
}
