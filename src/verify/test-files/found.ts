export interface FoundTest {
  title: string;
  /** Skipped, still to be written, expected to fail, or run only on a condition. */
  skipped: boolean;
  /** The number of tests it stands for, if it runs for every row of a literal table. */
  rows?: number;
}

export interface FoundTests {
  tests: FoundTest[];
  /** The number of marks that prevent all other tests from running. */
  only: number;
  assertions: number;
}

const TITLE_CHARS = 120;

export const testTitle = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, TITLE_CHARS);

export const countMatches = (text: string, form: RegExp): number => text.match(form)?.length ?? 0;
