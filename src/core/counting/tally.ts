import type { TestCounts } from "../loop/events.ts";

export type Part = "passed" | "failed" | "skipped";

/** What one runner reports: by its summaries, and by the tests and files that it names. */
export interface Tally {
  /** A new summary begins, and `add` counts for it. */
  begin(): void;
  add(part: Part, count: string | number | undefined): void;
  test(name: string, part: Part): void;
  /** Takes back the last test: it was a suite. */
  untest(): void;
  /** Something with tests in it, which may be a test itself or only a suite. */
  group(): void;
  /** A file, or a package, of which at least one test ran; with how many, if that is known. */
  file(name: string, ran?: number): void;
  /** The name of a test in a list of failures: for display only, it is not counted. */
  failure(name: string): void;
  /** It ran tests without a number. */
  uncounted(): void;
  /** Failures that are not tests, such as a file that cannot be loaded: they go away when the work is right. */
  broken(count: string | number | undefined): void;
}

/** How often a name passed, failed and was skipped. */
export type Times = readonly [passed: number, failed: number, skipped: number];

/** The names that runners printed. `tests` is empty if they do not agree with the number of tests. */
export interface TestNames {
  tests: Readonly<Record<string, Times>>;
  /** How many tests of each file or package ran; 0 if that is unknown. */
  files: Readonly<Record<string, number>>;
  /** Tests that failed, if `tests` is empty: for display only, and possibly not all of them. */
  failed?: readonly string[];
}

/** Whether a runner names a file in place of a test: the file is one, or it could not be loaded. */
export const isFileName = (name: string): boolean => /\.(?:[cm]?[jt]sx?|py)$|_FailedTest\b/.test(name);

/** Beyond this number of names, only totals are compared. */
export const MOST_NAMES = 20_000;
const NAME_CHARS = 300;
export const MOST_FAILURES = 50;

export interface RunnerTally extends Tally {
  /** A new run of the runner begins: its summary does not replace the one before. */
  next(): void;
  /** Null if it has reported nothing. */
  counts(): TestCounts | null;
  names(): TestNames;
}

export const NO_NAMES: TestNames = { tests: {}, files: {} };

export const NO_TESTS: TestCounts = { ran: 0, passed: 0, failed: 0, skipped: 0 };

export const sumOf = (a: TestCounts, b: TestCounts): TestCounts => {
  const broken = (a.broken ?? 0) + (b.broken ?? 0);
  return {
    ran: a.ran + b.ran,
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    ...(broken > 0 ? { broken } : {}),
  };
};

const plus = (counts: TestCounts, part: Part, more: number): TestCounts => ({
  ...counts,
  [part]: counts[part] + more,
  ran: counts.ran + (part === "skipped" ? 0 : more),
});

/**
 * Of several summaries in one run only the last one counts: the others were printed by the tests. Where runs are not
 * visibly separate, the names decide; if there are none, both numbers are known.
 */
export function runnerTally(): RunnerTally {
  let [done, all] = [NO_TESTS, NO_TESTS];
  let current: TestCounts | null = null;
  let repeats = 0;
  let [isKnown, hasSummary, hasUncounted] = [false, false, false];
  const names = nameTally();
  const close = () => {
    if (current) done = sumOf(done, current);
    [current, hasSummary] = [null, false];
  };
  return {
    ...names,
    begin() {
      if (hasSummary) repeats += 1;
      // Files that could not be loaded are named before the summary.
      current = hasSummary || !current?.broken ? NO_TESTS : { ...NO_TESTS, broken: current.broken };
      [hasSummary, isKnown] = [true, true];
    },
    add(part, count) {
      const more = Number(count ?? 0);
      current = plus(current ?? NO_TESTS, part, more);
      all = plus(all, part, more);
      isKnown = true;
    },
    uncounted() {
      hasUncounted = true;
    },
    broken(count) {
      const broken = (current?.broken ?? 0) + Number(count ?? 0);
      current = { ...(current ?? NO_TESTS), broken };
    },
    next: close,
    counts() {
      close();
      if (!isKnown || hasUncounted) return null;
      if (repeats === 0 || done.ran === all.ran) return done;
      if (names.ran() === all.ran) return all;
      return names.ran() === done.ran ? done : { ...done, repeats, all: all.ran };
    },
    names() {
      const counts = this.counts();
      const unnamed = (counts?.ran ?? -1) - names.ran();
      const agrees = unnamed >= 0 && unnamed <= names.groups() && names.ran() >= 0;
      const failed = names.failed();
      const files = names.files();
      if (agrees) return { tests: names.tests(), files };
      return { tests: {}, files, ...(failed.length > 0 ? { failed } : {}) };
    },
  };
}

function nameTally() {
  const known = new Map<string, [number, number, number]>();
  const files = new Map<string, number>();
  const failures = new Set<string>();
  let last: { name: string; at: 0 | 1 | 2 } | null = null;
  let groups = 0;
  const count = (name: string, at: 0 | 1 | 2, more: number) => {
    const times = known.get(name) ?? [0, 0, 0];
    times[at] += more;
    if (known.size <= MOST_NAMES || known.has(name)) known.set(name, times);
  };
  return {
    test(text: string, part: Part) {
      const name = text.slice(0, NAME_CHARS);
      const at = part === "passed" ? 0 : part === "failed" ? 1 : 2;
      last = { name, at };
      count(name, at, 1);
    },
    untest() {
      if (last) count(last.name, last.at, -1);
      last = null;
    },
    failure(text: string) {
      if (failures.size < MOST_FAILURES) failures.add(text.slice(0, NAME_CHARS));
    },
    failed: () =>
      [
        ...failures,
        ...[...known].flatMap(([name, [, times]]) => (times > 0 && failures.size === 0 ? [name] : [])),
      ].slice(0, MOST_FAILURES),
    group() {
      groups += 1;
    },
    groups: () => groups,
    file(text: string, ran = 0) {
      const name = text.slice(0, NAME_CHARS);
      if (files.size < MOST_NAMES || files.has(name)) files.set(name, (files.get(name) ?? 0) + ran);
    },
    ran: () => (known.size > MOST_NAMES ? -1 : [...known.values()].reduce((sum, [a, b]) => sum + a + b, 0)),
    tests: (): TestNames["tests"] => Object.fromEntries([...known].filter(([, times]) => times.some((n) => n > 0))),
    files: (): TestNames["files"] => Object.fromEntries(files),
  };
}
