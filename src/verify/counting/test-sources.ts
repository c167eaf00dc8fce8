import { dirname } from "node:path";
import type { SourceFacts } from "../../core/counting/compare.ts";
import { baseOf, leafOf, passes } from "../../core/counting/difference.ts";
import { isFileName, type TestNames } from "../../core/counting/tally.ts";
import { testTitle } from "../../core/test-files/found.ts";
import { type Inventory, titlesOf } from "../test-files/inventory.ts";
import type { Obsolete } from "../test-files/obsolete.ts";

interface Sources {
  before: Inventory;
  /** Read only if tests are missing. */
  now(): Inventory;
  /** The names that pass now. */
  running: TestNames;
  /** Tests that were removed together with everything they test. */
  obsolete?: Obsolete | undefined;
}

/** What the files of tests say about tests that do not run. */
export function sourceFacts({ before, now, running, obsolete }: Sources): SourceFacts {
  let known: { files: Inventory; titles: Map<string, number> } | undefined;
  const current = () => {
    const files = known?.files ?? now();
    known ??= { files, titles: titlesOf(files) };
    return known;
  };
  const was = titlesOf(before);
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
      // A title that occurs less often now was renamed or removed.
      const isPresent = (title: string) => (is.get(title) ?? 0) >= Math.max(1, was.get(title) ?? 1);
      return names.filter((name) => isPresent(testTitle(baseOf(name))) && !passes(running, name));
    },
    presentFiles(files) {
      if (files.length === 0) return [];
      const known = Object.keys(before);
      const isIdle = (path: string) => !running.files.some((file) => isFile(file, path));
      return files.filter((file) => known.some((path) => isFile(file, path) && isHere(path, isIdle)));
    },
    removed: (names) =>
      names === null
        ? gone.reduce((sum, { rows = 1 }) => sum + rows, 0)
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

/** A title in the source may contain the placeholders of a table. */
function isTitled(title: string, name: string): boolean {
  if (title === testTitle(name)) return true;
  const parts = title.split(/%[a-zA-Z#$%]|\$\{[^}]*\}|\$[\w.]+/);
  if (parts.length === 1) return false;
  const form = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return new RegExp(`^${form}$`).test(name);
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
