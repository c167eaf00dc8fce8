import { isFileName, MOST_NAMES, type TestNames, type Times } from "./tally.ts";

/** What ran before and does not pass now, by name; each name as often as it is missing. */
export interface Difference {
  /** Skipped now, and not before. */
  skipped: string[];
  /** Neither passed nor skipped. */
  missing: string[];
}

const SEPARATORS = /\s+[>›]\s+|::/;

/** The last part of a name, which is what the source of the test says. */
export const leafOf = (name: string): string => {
  const last = name.split(isFileName(name) ? /[\\/]/ : SEPARATORS).at(-1) ?? name;
  // unittest prints `test_a (module.Class.test_a)`.
  return last
    .replace(/ \(line \d+\)/, "")
    .replace(/^(\w+) \([\w.]+\)$/, "$1")
    .replace(/^[\w:]+#(test_\w+)$/, "$1")
    .trim();
};

/** Tests by the last part of their name: moving one into another group or file changes only the rest. */
function leavesOf({ tests }: TestNames): Map<string, Times> {
  const times = new Map<string, Times>();
  for (const [name, [passed, failed, skipped]] of Object.entries(tests)) {
    const leaf = leafOf(name);
    const [a, b, c] = times.get(leaf) ?? [0, 0, 0];
    // A file that could not be loaded is no test.
    times.set(leaf, [a + passed, b + (isFileName(name) ? 0 : failed), c + skipped]);
  }
  return times;
}

export const hasTests = ({ tests }: TestNames): boolean => Object.keys(tests).length > 0;

/** Compares names; null if either side has none. */
export function difference(before: TestNames, now: TestNames): Difference | null {
  if (!hasTests(before) || !hasTests(now)) return null;
  const [old, fresh] = [leavesOf(before), leavesOf(now)];
  const found: Difference = { skipped: [], missing: [] };
  for (const [name, was] of old) {
    const is = fresh.get(name) ?? [0, 0, 0];
    const missing = Math.max(0, was[0] + was[1] - is[0]);
    const skipped = Math.min(missing, Math.max(0, is[2] - was[2]));
    repeat(found.skipped, name, skipped);
    repeat(found.missing, name, missing - skipped);
  }
  return found;
}

function repeat(names: string[], name: string, times: number): void {
  for (let i = 0; i < times && names.length < MOST_NAMES; i += 1) names.push(name);
}

/** Without the row of a table, as in `test_a[1-2]` and `TestA/one`. */
export const baseOf = (leaf: string): string => leaf.replace(/\[.*\]$/, "").replace(/^(Test\w*)\/.*$/, "$1");
