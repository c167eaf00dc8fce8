import { stripAnsi } from "../../core/ansi.ts";
import type { TestCounts } from "../../core/loop/events.ts";
import { type Summary, summaries } from "./test-runners.ts";

/** Counts the tests that a command reports, while its output streams. Memory stays bounded. */
interface TestCounter {
  source(): (text: string) => void;
  /** Null if no test runner was recognised. */
  counts(): TestCounts | null;
}

const MOST_LINE_CHARS = 8_000;
const MOST_GROUPS = 500;
/** The prefix that task runners add to each line: the name of a package, perhaps with that of a task. */
const PREFIX = /^(@?[\w./-]+(?:[:#][\w.-]+)?): ?(.*)$/;

export function testCounter(): TestCounter {
  const groups = new Map<string, Summary[]>();
  const groupOf = (name: string): Summary[] => {
    const known = groups.get(name);
    if (known || groups.size >= MOST_GROUPS) return known ?? [];
    const fresh = summaries();
    groups.set(name, fresh);
    return fresh;
  };
  const take = (group: string, line: string): boolean =>
    groupOf(group).reduce((taken, summary) => summary.line(line) || taken, false);
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
      const { add, end } = lines(takeLine);
      ends.push(end);
      return add;
    },
    counts() {
      for (const end of ends) end();
      return total([...groups.values()].flat());
    },
  };
}

/** Splits a stream into lines. Only the beginning of a very long line is kept. */
function lines(take: (line: string) => void) {
  let held = "";
  const end = () => {
    if (held !== "") take(held);
    held = "";
  };
  const add = (text: string) => {
    const parts = text.split("\n");
    for (const [i, part] of parts.entries()) {
      if (held.length < MOST_LINE_CHARS) held += part.slice(0, MOST_LINE_CHARS);
      if (i === parts.length - 1) return;
      take(held);
      held = "";
    }
  };
  return { add, end };
}

function total(found: readonly Summary[]): TestCounts | null {
  const known = found.flatMap((summary) => summary.counts() ?? []);
  if (known.length === 0) return null;
  const sum = (part: keyof TestCounts) => known.reduce((all, counts) => all + counts[part], 0);
  return { ran: sum("ran"), passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}
