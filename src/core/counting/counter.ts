import { stripAnsi } from "../ansi.ts";
import type { TestCounts } from "../loop/events.ts";
import { textLines } from "../text-lines.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { OTHERS } from "./others.ts";
import { type RunnerTally, runnerTally, sumOf, type TestNames } from "./tally.ts";

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
/** The prefix that task runners add to each line: the name of a package, perhaps with that of a task. */
const PREFIX = /^(@?[\w./-]+(?:[:#][\w.-]+)?): ?(.*)$/;

/** Lines between two runs of a runner: a script, a package, or its first or last line. */
const NEXT =
  /^(?:> \S|\$ \S| RUN {2}v\d|TAP version \d|=+ test session starts =+$|running \d+ tests?$|bun test v|PHPUnit \d|Run options: |Test project |Ran all test suites|(?:\[INFO\] ) ?T E S T S|make(?:\[\d+\])?: Entering )/;

/** Every runner that can be counted: adding one is an entry. */
const RUNNERS = Object.entries({ ...JAVASCRIPT, ...OTHERS });

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
        const [, prefix, rest] = PREFIX.exec(line) ?? [];
        if (prefix !== undefined && rest !== undefined) take(`${stream} ${prefix}`, rest);
      };
      const { add, end } = textLines(MOST_LINE_CHARS, takeLine);
      ends.push(end);
      return add;
    },
    ran() {
      for (const end of ends) end();
      return ranIn([...groups.values()].flat());
    },
  };
}

/** Names count only for a runner that has reported its number of tests, and only if all of them agree. */
function ranIn(groups: readonly Group[]): Ran {
  const known = groups.flatMap(({ runner, tally }) => {
    const counts = tally.counts();
    return counts ? [{ runner, counts, names: tally.names() }] : [];
  });
  const files = groups.flatMap(({ tally }) => tally.names().files);
  const counts = known.map((one) => one.counts);
  const isNamed = known.every((one) => one.counts.ran === 0 || Object.keys(one.names.tests).length > 0);
  const names = { tests: isNamed ? joined(known.map((one) => one.names.tests)) : {}, files: [...new Set(files)] };
  if (counts.length === 0) return { counts: null, names };
  const total = counts.reduce(sumOf);
  const runners = new Map<string, number>();
  for (const one of known) runners.set(one.runner, (runners.get(one.runner) ?? 0) + one.counts.ran);
  const repeats = counts.reduce((sum, one) => sum + (one.repeats ?? 0), 0);
  const all = counts.reduce((sum, one) => sum + (one.all ?? one.ran), 0);
  return {
    counts: { ...total, runners: Object.fromEntries(runners), ...(repeats > 0 ? { repeats, all } : {}) },
    names,
  };
}

function joined(parts: readonly TestNames["tests"][]): TestNames["tests"] {
  const times = new Map<string, [number, number, number]>();
  for (const [name, [passed, failed, skipped]] of parts.flatMap((part) => Object.entries(part))) {
    const before = times.get(name) ?? [0, 0, 0];
    times.set(name, [before[0] + passed, before[1] + failed, before[2] + skipped]);
  }
  return Object.fromEntries(times);
}
