import { firstNamed } from "../excerpt.ts";
import type { TestCounts } from "../loop/events.ts";
import type { Ran } from "./counter.ts";
import { difference } from "./difference.ts";
import type { TestNames } from "./tally.ts";

/** What can be seen in the tests of the checkout about tests that do not run any more. */
export interface SourceFacts {
  /** Those whose title is still in a file of tests, of which fewer pass now than ran before. */
  present(names: readonly string[]): readonly string[];
  /** The files that still have tests. */
  presentFiles(files: readonly string[]): readonly string[];
  /** The files of which fewer tests run, without those that were removed, renamed or added. */
  fewerIn(before: TestNames["files"], now: TestNames["files"]): readonly string[];
  /** Those of tests that were removed together with everything they import; without names, how many. */
  removed(names: readonly string[] | null): number;
}

interface Compared {
  before: Ran;
  now: Ran;
  /** The baseline passed. Otherwise its number is only a minimum: a runner may have stopped at the first failure. */
  wasGreen: boolean;
  /** What may happen to tests: those of a tester may change, but not become fewer; with `free`, they may. */
  tests: "kept" | "rewritten" | "free";
}

/** Why a run that exited as expected is no pass, or what should be known about it. */
export type Finding = { fault: string } | { note: string } | null;

const SHOWN = 5;

const quoted = (names: readonly string[]): string =>
  firstNamed(
    names.map((name) => `\`${name}\``),
    SHOWN,
  );
const tests = (count: number): string => (count === 1 ? "1 test" : `${count} tests`);

/** Why a run with exit code 0 proves nothing by its own summary. */
export function contradiction(counts: TestCounts | null): string | null {
  if (!counts) return null;
  if (counts.failed > 0) return `${tests(counts.failed)} failed`;
  return counts.ran === 0 ? "no test ran" : null;
}

/**
 * Compares what ran at the baseline with what ran now. A test that is gone from the sources may have been renamed or
 * merged into a table: it counts only if fewer tests pass than ran before. One that is still there, and does not run or
 * is skipped, was put out of reach: no other test makes up for it.
 */
export function compareRuns(compared: Compared, source: SourceFacts): Finding {
  const was = compared.before.counts;
  const is = compared.now.counts;
  if (!was || was.ran === 0) return fileFinding(compared, source);
  if (!is) return { fault: `${tests(was.ran)} ran before, and no number is reported now` };
  if (compared.tests === "free") return is.passed < was.ran ? { note: `${was.ran} → ${tests(is.passed)}` } : null;
  const silent = silentRunner(was, is);
  return silent === null ? nameFinding({ ...compared, was, is }, source) : { fault: silent };
}

function nameFinding({ was, is, ...compared }: Compared & Both, source: SourceFacts): Finding {
  const gap = difference(compared.before.names, compared.now.names);
  const unreached = gap && compared.tests === "kept" ? [...gap.skipped, ...source.present(gap.missing)] : [];
  if (unreached.length > 0) return { fault: `${numbers(was, is)}: missing ${quoted(unreached)}` };
  const lost = gap?.missing ?? null;
  const fewer = shortfall(compared, was, is);
  const removed = fewer > 0 ? Math.min(fewer, source.removed(lost)) : 0;
  if (fewer > removed) return { fault: `${numbers(was, is)}${lost?.length ? `: missing ${quoted(lost)}` : ""}` };
  const byFile = gap ? null : fileFinding(compared, source);
  return byFile ?? noteOf({ removed, renamed: (lost?.length ?? 0) - removed });
}

interface Both {
  was: TestCounts;
  is: TestCounts;
}

const numbers = (was: TestCounts, is: TestCounts): string => `${tests(was.ran)} ran before, ${is.passed || "none"} now`;

/** How many fewer tests pass than ran before. Where runs are not visibly separate, both ways to count must agree. */
function shortfall({ wasGreen }: Compared, was: TestCounts, is: TestCounts): number {
  const broken = was.broken ?? 0;
  const last = was.ran - broken - is.passed;
  if (was.all === undefined && is.all === undefined) return last;
  const all = (was.all ?? was.ran) - broken - (is.all ?? is.ran);
  // The first of two runs that failed was the only one.
  const isCutShort = !wasGreen && (is.repeats ?? 0) > (was.repeats ?? 0);
  return isCutShort ? Math.min(last, all) : Math.max(last, all);
}

/** With as many runners as before, one may have taken the place of another. */
function silentRunner({ runners: was = {} }: TestCounts, { runners: is = {} }: TestCounts): string | null {
  if (Object.keys(is).length >= Object.keys(was).length) return null;
  const silent = Object.entries(was).find(([runner, ran]) => ran > 0 && !Object.hasOwn(is, runner));
  return silent ? `${silent[0]} ran ${tests(silent[1])} before, and reports none now` : null;
}

/** Files and packages that ran before. One that still has tests was put out of reach. */
function fileFinding({ before, now, ...compared }: Compared, source: SourceFacts): Finding {
  const [was, is] = [before.names.files, now.names.files];
  if (compared.tests !== "kept" || Object.keys(is).length === 0) return null;
  const lost = source.presentFiles(Object.keys(was).filter((file) => !Object.hasOwn(is, file)));
  if (lost.length > 0) return { fault: `the tests of ${firstNamed([...lost], SHOWN)} ran before, and do not run now` };
  const fewer = areCounted(before) && areCounted(now) ? source.fewerIn(was, is) : [];
  return fewer.length > 0 ? { fault: `fewer tests of ${firstNamed([...fewer], SHOWN)} run than before` } : null;
}

/** Whether the numbers of the files explain the number of tests. */
const areCounted = ({ counts, names }: Ran): boolean =>
  Object.values(names.files).reduce((sum, ran) => sum + ran, 0) === counts?.ran;

function noteOf({ removed, renamed }: { removed: number; renamed: number }): Finding {
  const notes = [
    ...(removed === 1 ? ["1 test was removed with what it tests"] : []),
    ...(removed > 1 ? [`${removed} tests were removed with what they test`] : []),
    ...(renamed === 1 ? ["1 test has another name"] : []),
    ...(renamed > 1 ? [`${renamed} tests have other names`] : []),
  ];
  return notes.length > 0 ? { note: notes.join("; ") } : null;
}
