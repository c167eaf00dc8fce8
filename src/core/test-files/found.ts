import type { Asserted } from "./asserted.ts";

export interface FoundTest {
  title: string;
  /** Skipped, still to be written, expected to fail, or run only on a condition. */
  skipped: boolean;
  /** The number of tests it stands for, if that is not 1; 0 if it is unknown. */
  rows?: number;
  /** How many assertions it has, if it has any. */
  checks?: number;
  /** The text of its body, while the file is read. */
  body?: string;
}

export interface FoundTests {
  tests: FoundTest[];
  /** The number of marks that prevent all other tests from running. */
  only: number;
  /** Assertions that compare more than constants. */
  assertions: number;
  constants?: number;
  /** What they compare, with how often. */
  atoms?: Readonly<Record<string, number>>;
  /** Literal tables whose rows are asserted, and their rows. */
  tables?: number;
  rows?: number;
}

/** The assertions of a file, as part of what is found in it. */
export const assertionsOf = ({
  count,
  constants,
  atoms,
  tables,
  rows,
}: Asserted): Pick<FoundTests, "assertions" | "constants" | "atoms" | "tables" | "rows"> => ({
  assertions: count,
  ...(constants > 0 ? { constants } : {}),
  atoms,
  ...(tables > 0 ? { tables, rows } : {}),
});

const TITLE_CHARS = 120;

export const testTitle = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, TITLE_CHARS);

export const countMatches = (text: string, form: RegExp): number => text.match(form)?.length ?? 0;
