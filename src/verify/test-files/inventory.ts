import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { dotnetTests, goTests, jvmTests, phpTests, rustTests } from "../../core/test-files/braces.ts";
import type { Machine } from "../../core/test-files/condition.ts";
import { isShared, isTestFile, NO_SOURCES } from "../../core/test-files/file-role.ts";
import type { FoundTest, FoundTests } from "../../core/test-files/found.ts";
import { javascriptTests } from "../../core/test-files/javascript.ts";
import { pythonTests } from "../../core/test-files/python.ts";
import { batsTests, rubyTests } from "../../core/test-files/ruby.ts";
import { type Subject, subjectsOf } from "../../core/test-files/subjects.ts";
import { sha256, statAt } from "../tamper/file-state.ts";
import { walkFiles } from "../tamper/globs.ts";

export interface TestFile extends Omit<FoundTests, "tests"> {
  sha: string;
  tests: WatchedTest[];
  /** What its tests import from the repository; null if unknown. */
  subjects?: Pick<Subject, "path" | "names">[] | null;
}

export interface WatchedTest extends Omit<FoundTest, "body"> {
  /** The positions of those that it uses. */
  of?: number[];
}

export type Inventory = Record<string, TestFile>;

const MOST_SEEN = 100_000;
const MOST_FILES = 3_000;
const MOST_BYTES = 512 << 10;
const MOST_TESTS = 2_000;

type Reader = (source: string, machine: Machine, isShared: boolean) => FoundTests;

const HERE: Machine = { platform: process.platform, arch: process.arch };

const READERS: readonly [RegExp, Reader][] = [
  [/\.[cm]?[jt]sx?$/, javascriptTests],
  [/\.py$/, pythonTests],
  [/\.go$/, goTests],
  [/\.rs$/, rustTests],
  [/\.(?:java|kts?|scala|groovy)$/, jvmTests],
  [/\.cs$/, dotnetTests],
  [/\.php$/, phpTests],
  [/\.rb$/, rubyTests],
  [/\.bats$/, batsTests],
];

/** Every test below a folder, tracked or not, as far as names and texts show. Bounded; `known` files are read first. */
export function takeInventory(root: string, known: Inventory = {}): Inventory {
  const found = new Map<string, TestFile>();
  const add = (path: string) => {
    const file = readTests(root, path, known[path]);
    if (file && file.tests.length + file.only > 0) found.set(path, file);
  };
  Object.keys(known).forEach(add);
  for (const path of walkFiles(root, "", { skip: NO_SOURCES, most: MOST_SEEN })) {
    if (found.size >= MOST_FILES + Object.keys(known).length) break;
    if (isTestFile(path) && !found.has(path)) add(path);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Null if it has no tests or is not readable. `known` is reused if the file is unchanged. */
function readTests(root: string, path: string, known: TestFile | undefined): TestFile | null {
  const reader = READERS.find(([ending]) => ending.test(path))?.[1];
  const content = reader ? contentOf(join(root, path)) : null;
  if (!reader || !content) return null;
  const sha = sha256(content);
  if (known?.sha === sha) return known;
  const source = content.toString("utf8");
  const { tests, ...found } = reader(source, HERE, isShared(path));
  const subjects = subjectsOf(path, source, (place) => statAt(join(root, place))?.isFile() ?? false);
  return {
    sha,
    ...found,
    tests: tests.slice(0, MOST_TESTS).map(({ body, ...test }) => ({ ...test, ...usedIn(body, subjects) })),
    ...(subjects && subjects.length > 0 ? { subjects: subjects.map(({ path, names }) => ({ path, names })) } : {}),
  };
}

function usedIn(body: string | undefined, subjects: readonly Subject[] | null): Pick<WatchedTest, "of"> {
  if (body === undefined || !subjects) return {};
  const words = new Set(body.match(/[\w$]+/g));
  const of = [...subjects.keys()].filter((i) => subjects[i]?.bound.some((name) => words.has(name)));
  return of.length > 0 ? { of } : {};
}

function contentOf(path: string): Buffer | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
