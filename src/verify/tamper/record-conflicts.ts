import { mkdtempSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { checkOutFiles } from "../../adapters/git/worktree.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { temporaryFolder } from "../../adapters/io/environment.ts";
import { removeFolder } from "../../adapters/io/remove-folder.ts";
import { type Inventory, type TestFile, takeInventory } from "../test-files/inventory.ts";
import { openLook } from "./file-state.ts";
import type { ProtectedRecord } from "./record.ts";
import { readValue } from "./values.ts";

/** A merge whose conflicts are still in the files. */
export interface Merged {
  /** The commit of the target that was merged. */
  onto: string;
  /** The files with conflicts, relative to the checkout's root. */
  conflicts: readonly string[];
}

/** For a file with conflicts the target's version counts: the task must not change it. For tests, both sides count. */
export async function withConflicts(
  record: ProtectedRecord,
  known: ProtectedRecord | null,
  { onto, conflicts, cwd }: Merged & { cwd: string },
): Promise<ProtectedRecord> {
  const top = checkoutRoot(cwd) ?? cwd;
  const room = realpathSync(mkdtempSync(join(temporaryFolder(), "ralph-target-")));
  try {
    await checkOutFiles(top, onto, conflicts, room);
    const root = join(room, relative(realpathSync(top), realpathSync(cwd)));
    const torn = new Set(conflicts.map((path) => relative(cwd, join(top, path))));
    const look = openLook(room);
    const stateOf = (path: string) => look.state(join(relative(room, root), path));
    // Names that could not be found in a file with conflicts are taken from the earlier record.
    const files = { ...pick(known?.files, (path) => torn.has(path)), ...record.files };
    const values = { ...pick(known?.values, (key) => torn.has(fileOf(key))), ...record.values };
    return {
      ...record,
      files: mapped(files, (path, state) => (torn.has(path) ? stateOf(path) : state)),
      values: mapped(values, (key, value) => (torn.has(fileOf(key)) ? readValue(root, key) : value)),
      tests: record.tests && bothSides(record.tests, takeInventory(root), known?.tests ?? {}, torn),
    };
  } finally {
    await removeFolder(room);
  }
}

const fileOf = (key: string): string => key.split("#")[0] ?? "";

const pick = <T>(from: Readonly<Record<string, T>> = {}, wanted: (key: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => wanted(key)));

const mapped = <T>(from: Readonly<Record<string, T>>, to: (key: string, value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(key, value)]));

function bothSides(now: Inventory, theirs: Inventory, ours: Inventory, torn: ReadonlySet<string>): Inventory {
  const whole = Object.entries(now).filter(([path]) => !torn.has(path));
  const completed = [...torn].flatMap((path): [string, TestFile][] => {
    const [a, b] = [theirs[path], ours[path]];
    const one = a && b ? together(a, b) : (a ?? b);
    return one ? [[path, one]] : [];
  });
  return Object.fromEntries([...whole, ...completed].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function together(theirs: TestFile, ours: TestFile): TestFile {
  const known = new Set(theirs.tests.map(({ title }) => title));
  return {
    sha: "",
    tests: [...theirs.tests, ...ours.tests.filter(({ title }) => !known.has(title))],
    only: Math.max(theirs.only, ours.only),
    assertions: Math.max(theirs.assertions, ours.assertions),
  };
}
