import { dirname } from "node:path";
import type { SourceFacts } from "../../core/counting/compare.ts";
import { baseOf, leafOf } from "../../core/counting/difference.ts";
import { isFileName, type TestNames, type Times } from "../../core/counting/tally.ts";
import { testTitle } from "../../core/test-files/found.ts";
import type { Inventory, WatchedTest } from "../test-files/inventory.ts";
import type { Obsolete } from "../test-files/obsolete.ts";

interface Sources {
  before: Inventory;
  /** Read only if tests are missing. */
  now(): Inventory;
  /** What ran before, and what runs now. */
  ran: TestNames;
  running: TestNames;
  /** Tests that were removed together with everything they test. */
  obsolete?: Obsolete | undefined;
}

/** What the files of tests say about tests that do not run. */
export function sourceFacts({ before, now, ran, running, obsolete }: Sources): SourceFacts {
  let known: { files: Inventory; titles: Map<string, number> } | undefined;
  const read = () => {
    const files = now();
    return { files, titles: titles(files) };
  };
  const current = () => {
    known ??= read();
    return known;
  };
  const was = titles(before);
  /** Whether a file, or another that has its tests now, is there and does not run. */
  const isHere = (path: string, isIdle: (path: string) => boolean): boolean => {
    const { files } = current();
    if (Object.hasOwn(files, path)) return true;
    const wanted = before[path]?.tests.map(({ title }) => title) ?? [];
    return Object.entries(files).some(([other, { tests }]) => {
      const found = new Set(tests.map(({ title }) => title));
      return !Object.hasOwn(before, other) && isIdle(other) && wanted.every((title) => found.has(title));
    });
  };
  const gone = Object.entries(before).flatMap(([path, { tests }]) =>
    tests.filter(({ title }) => obsolete?.get(path)?.has(title)),
  );
  return {
    present(names) {
      if (names.length === 0) return [];
      const { titles: is } = current();
      const titleOf = titleFinder([...was.keys()]);
      // A title that occurs less often now was renamed or removed.
      const isPresent = (title: string) => (is.get(title) ?? 0) >= Math.max(1, was.get(title) ?? 1);
      const old = timesOf(ran, titleOf, ([passed, failed]) => passed + failed);
      const passing = timesOf(running, titleOf, ([passed]) => passed);
      return names.filter((name) => {
        const title = titleOf(name);
        return isPresent(title) && (passing.get(title) ?? 0) < (old.get(title) ?? 1);
      });
    },
    presentFiles(files) {
      if (files.length === 0) return [];
      const known = Object.keys(before);
      const isIdle = (path: string) => !Object.keys(running.files).some((file) => isFile(file, path));
      return files.filter((file) => known.some((path) => isFile(file, path) && isHere(path, isIdle)));
    },
    fewerIn(was, is) {
      const files = Object.keys(was).filter((file) => (is[file] ?? 0) < (was[file] ?? 0));
      return files.filter((file) => {
        const path = Object.keys(before).find((known) => isFile(file, known)) ?? "";
        const [old = [], fresh = []] = [before[path]?.tests, current().files[path]?.tests];
        const [gone, added] = [without(old, fresh), without(fresh, old)];
        return gone !== null && added !== null && (is[file] ?? 0) - added < (was[file] ?? 0) - gone;
      });
    },
    removed: (names) =>
      names === null
        ? gone.reduce((sum, { rows = 1 }) => sum + (rows === 0 ? Number.POSITIVE_INFINITY : rows), 0)
        : names.filter((name) => gone.some(({ title }) => isTitled(title, baseOf(name)))).length,
  };
}

/**
 * Files of tests that a runner reports as run without any of the tests that were in them: the process ended before, or
 * printed something else.
 */
export function silentFiles(before: Inventory, running: TestNames): string[] {
  const names = Object.keys(running.tests);
  const places = names.filter(isFileName).map((name) => `/${name.replace(/^(?:\.?\/)+/, "")}`);
  if (places.length === 0) return [];
  const leaves = names.map((name) => baseOf(leafOf(name)));
  return Object.entries(before).flatMap(([path, { tests }]) => {
    const wanted = tests.filter(({ skipped }) => !skipped);
    const isReported = wanted.length > 0 && places.some((place) => place.endsWith(`/${path}`));
    const isSilent = isReported && !wanted.some(({ title }) => leaves.some((name) => isTitled(title, name)));
    return isSilent ? [path] : [];
  });
}

function titles(inventory: Inventory): Map<string, number> {
  const times = new Map<string, number>();
  for (const { title } of Object.values(inventory).flatMap(({ tests }) => tests)) {
    times.set(title, (times.get(title) ?? 0) + 1);
  }
  return times;
}

/** How many tests run whose titles the others do not have; null if it is unknown. */
function without(tests: readonly WatchedTest[], others: readonly WatchedTest[]): number | null {
  const left = others.map(({ title }) => title);
  const own = tests.filter(({ title, skipped }) => {
    const at = left.indexOf(title);
    if (at !== -1) left.splice(at, 1);
    return at === -1 && !skipped;
  });
  const sum = own.reduce((all, { rows = 1 }) => all + rows, 0);
  return own.some(({ rows }) => rows === 0) ? null : sum;
}

/** How often each title ran. */
function timesOf({ tests }: TestNames, titleOf: (leaf: string) => string, count: (times: Times) => number) {
  const sums = new Map<string, number>();
  for (const [name, times] of Object.entries(tests)) {
    const title = titleOf(leafOf(name));
    sums.set(title, (sums.get(title) ?? 0) + count(times));
  }
  return sums;
}

/** Finds the title that a name has in the source: of the tables that fit, the most specific one. */
function titleFinder(titles: readonly string[]): (leaf: string) => string {
  const known = new Set(titles);
  const tables = titles.flatMap((title) => {
    const form = formOf(title);
    return form ? [{ title, form }] : [];
  });
  tables.sort((a, b) => b.form.source.length - a.form.source.length);
  return (leaf) => {
    const own = testTitle(leaf);
    // Go's name of a group in a test has the name of the test before it.
    const inner = testTitle(leaf.replace(/^Test\w*\//, "").replaceAll("_", " "));
    const exact = [own, inner, testTitle(baseOf(leaf))].find((title) => known.has(title));
    return exact ?? tables.find(({ form }) => form.test(leaf))?.title ?? testTitle(baseOf(leaf));
  };
}

/** A title in the source may contain the placeholders of a table. */
function isTitled(title: string, name: string): boolean {
  return title === testTitle(name) || (formOf(title)?.test(name) ?? false);
}

function formOf(title: string): RegExp | null {
  const parts = title.split(/%[a-zA-Z#$%]|\$\{[^}]*\}|\$[\w.]+/);
  if (parts.length === 1) return null;
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
}

/** Runners name a file by its path, a class or a package. */
function isFile(name: string, path: string): boolean {
  const file = name.replace(/^\.\//, "");
  if (path === file || path.endsWith(`/${file}`)) return true;
  if (path.endsWith("_test.go")) return `/${file}`.endsWith(`/${dirname(path)}`);
  return (
    /\.(?:java|kt|scala|groovy)$/.test(path) &&
    `/${path}`.replace(/\.\w+$/, "").endsWith(`/${file.replaceAll(".", "/")}`)
  );
}
