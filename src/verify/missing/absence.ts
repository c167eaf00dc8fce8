export interface Ran {
  command: string;
  cwd: string;
  path: string;
  code: number;
  passed: boolean;
  /** What it printed, the lines that may name something absent. */
  lines: readonly string[];
}

/** Something that the command itself names and that is not there. */
export interface Absence {
  /** In words, such as `the program pytest was not found`. */
  what: string;
  /** Whether the output says so; otherwise only a look at the files does. */
  said: boolean;
}
