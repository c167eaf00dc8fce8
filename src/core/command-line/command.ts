import type { Word } from "./words.ts";

/** A program with its arguments, in a shell command. */
export interface Command {
  words: readonly Word[];
  /** Its words with everything before them: assignments, the programs that start it, and their options. */
  all: readonly Word[];
  /** The programs in front that start it, such as `timeout`. */
  starters: readonly string[];
  /** Files that it reads as its standard input, or writes. */
  inputs: readonly Word[];
  outputs: readonly Word[];
  /** Texts that it reads as its standard input. */
  documents: readonly string[];
  /** The folder it runs in; null if only the shell knows. */
  dir: string | null;
  /** Whether no command before it could have created its program or decides whether it runs. */
  first: boolean;
  /** Whether everything before it must succeed for it to run. */
  chained: boolean;
  /** Whether it may not run: in a condition, in a loop or inside another command. */
  maybe: boolean;
  /** Where it is: in the line itself, in a text that a shell runs, or in a text that an unknown program may run. */
  source: "line" | "text" | "guess";
  /** Whether a shell runs what it prints, or a variable gets it. */
  prints: "code" | "value" | null;
  /** Commands with the same number are alternatives, if there are several. */
  list: number;
  /** Commands with the same number are in one pipeline. */
  pipe: number;
}

/** A shell command, as far as its text shows. */
export interface CommandLine {
  commands: readonly Command[];
  alternatives: ReadonlySet<number>;
  /** Whether the line itself changes the meaning of program names. */
  redefines: boolean;
  /** Every value that it gives to each variable. */
  values: ReadonlyMap<string, readonly Word[]>;
  /** Files that loops and groups of commands read. */
  inputs: readonly Word[];
}
