import { stripAnsi } from "../ansi.ts";
import type { TestCounts } from "../loop/events.ts";
import { textLines } from "../text-lines.ts";
import { failedNames } from "./failed-names.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { FORMATS, OTHERS } from "./others.ts";
import { MOST_FAILURES, type RunnerTally, runnerTally, sumOf, type TestNames } from "./tally.ts";

/** The tests that a command ran, as far as its runners report them. */
export interface Ran {
  /** Null if no test runner was recognised. */
  counts: TestCounts | null;
  names: TestNames;
}

/** Counts the tests that a command reports, while its output streams. Memory stays bounded. */
interface TestCounter {
  source(): (text: string) => void;
  ran(): Ran;
}

const MOST_LINE_CHARS = 8_000;
const MOST_GROUPS = 500;
/** The prefix that task runners add to each line: the name of a package, perhaps with that of a task, or a time. */
const PREFIX =
  /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z?|(@?[\w./-]+(?:[:#][\w.-]+)?|@?[\w.-]*[./][\w./-]* [\w:.-]+):|\[([^\]]{1,40}?) *\]:?|([\w.:/-]+) +\|) ?(.*)$/;

/** Lines between two runs of a runner: a script, a package, or its first or last line. */
const NEXT =
  /^(?:> \S|\$ \S| RUN {2}v\d|TAP version \d|=+ test session starts =+$|running \d+ tests?$|bun test v|PHPUnit \d|Run options: |Test project |Ran all test suites|(?:\[INFO\] ) ?T E S T S|make(?:\[\d+\])?: Entering )/;

/** Every runner that can be counted: adding one is an entry. */
const RUNNERS = Object.entries({ ...JAVASCRIPT, ...OTHERS, ...FORMATS });

interface Group {
  runner: string;
  tally: RunnerTally;
  read(line: string): boolean;
}

function openGroup(): Group[] {
  return RUNNERS.map(([runner, reader]) => {
    const tally = runnerTally();
    return { runner, tally, read: reader(tally) };
  });
}

export function testCounter(): TestCounter {
  const groups = new Map<string, Group[]>();
  const groupOf = (name: string): Group[] => {
    const known = groups.get(name);
    if (known || groups.size >= MOST_GROUPS) return known ?? [];
    const fresh = openGroup();
    groups.set(name, fresh);
    return fresh;
  };
  const take = (name: string, line: string): boolean => {
    const group = groupOf(name);
    if (NEXT.test(line)) for (const { tally } of group) tally.next();
    return group.reduce((taken, { read }) => read(line) || taken, false);
  };
  const ends: (() => void)[] = [];
  return {
    source() {
      const stream = `${ends.length}`;
      const takeLine = (raw: string) => {
        const line = stripAnsi(raw).replace(/\r$/, "");
        if (take(stream, line)) return;
        const [, name, bracketed, barred, rest] = PREFIX.exec(line) ?? [];
        if (rest !== undefined) take(`${stream} ${name ?? bracketed ?? barred ?? ""}`, rest);
      };
      const { add, end } = textLines(MOST_LINE_CHARS, takeLine);
      ends.push(end);
      return add;
    },
    ran() {
      for (const end of ends) end();
      return ranIn([...groups.values()].flatMap(inOneForm));
    },
  };
}

/** What a runner prints in a common format is counted once. */
function inOneForm(group: readonly Group[]): readonly Group[] {
  const runners = group.filter(({ runner }) => !Object.hasOwn(FORMATS, runner));
  return runners.some(({ tally }) => tally.counts() !== null) ? runners : group;
}

/** Names count only for a runner that has reported its number of tests, and only if all of them agree. */
function ranIn(groups: readonly Group[]): Ran {
  const known = groups.flatMap(({ runner, tally }) => {
    const counts = tally.counts();
    return counts ? [{ runner, counts, names: tally.names() }] : [];
  });
  const files = summed(groups.map(({ tally }) => tally.names().files));
  const counts = known.map((one) => one.counts);
  const isNamed = known.every((one) => one.counts.ran === 0 || Object.keys(one.names.tests).length > 0);
  const tests = isNamed ? joined(known.map((one) => one.names.tests)) : {};
  const failed = isNamed ? [] : known.flatMap((one) => failedNames(one.names)).slice(0, MOST_FAILURES);
  const names = { tests, files, ...(failed.length > 0 ? { failed } : {}) };
  if (counts.length === 0) return { counts: null, names };
  const total = counts.reduce(sumOf);
  const runners = summed(known.map(({ runner, counts }) => ({ [runner]: counts.ran })));
  const repeats = counts.reduce((sum, one) => sum + (one.repeats ?? 0), 0);
  const all = counts.reduce((sum, one) => sum + (one.all ?? one.ran), 0);
  return {
    counts: { ...total, runners, ...(repeats > 0 ? { repeats, all } : {}) },
    names,
  };
}

function summed(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of parts.flatMap((part) => Object.entries(part))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

function joined(parts: readonly TestNames["tests"][]): TestNames["tests"] {
  const times = new Map<string, [number, number, number]>();
  for (const [name, [passed, failed, skipped]] of parts.flatMap((part) => Object.entries(part))) {
    const before = times.get(name) ?? [0, 0, 0];
    times.set(name, [before[0] + passed, before[1] + failed, before[2] + skipped]);
  }
  return Object.fromEntries(times);
}
