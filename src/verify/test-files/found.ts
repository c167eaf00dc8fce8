export interface FoundTest {
  title: string;
  /** Skipped, to be written, expected to fail, or only run on a condition. */
  skipped: boolean;
  /** How many it stands for, where it is run for every row of a table that is written out. */
  rows?: number;
}

export interface FoundTests {
  tests: FoundTest[];
  /** Marks that keep all other tests from being run. */
  only: number;
  assertions: number;
}

const TITLE_CHARS = 120;

export const testTitle = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, TITLE_CHARS);

export const countMatches = (text: string, form: RegExp): number => text.match(form)?.length ?? 0;
