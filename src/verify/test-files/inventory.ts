import { dirname, join } from "node:path";
import { contentAt, isFileAt, namesIn, textAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import { dotnetTests, goTests, jvmTests, phpTests, rustTests } from "../../core/test-files/braces.ts";
import type { Machine } from "../../core/test-files/condition.ts";
import { definedIn } from "../../core/test-files/definitions.ts";
import { isShared, isTestFile, NO_SOURCES } from "../../core/test-files/file-role.ts";
import type { FoundTest, FoundTests } from "../../core/test-files/found.ts";
import { javascriptTests } from "../../core/test-files/javascript.ts";
import { pythonTests } from "../../core/test-files/python.ts";
import { batsTests, rubyTests } from "../../core/test-files/ruby.ts";
import { type Look, type Source, type Subject, sourcesOf, usedIn } from "../../core/test-files/subjects.ts";
import { sha256 } from "../tamper/file-state.ts";

export interface TestFile extends Omit<FoundTests, "tests"> {
  sha: string;
  tests: WatchedTest[];
  /** What its tests use of the repository; none if unknown. */
  subjects?: Subject[];
}

export interface WatchedTest extends Omit<FoundTest, "body"> {
  /** The positions of those that it uses, if it is known. */
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
  const content = reader ? contentAt(join(root, path), MOST_BYTES) : null;
  if (!reader || !content) return null;
  const sha = sha256(content);
  if (known?.sha === sha) return known;
  const source = content.toString("utf8");
  const { tests, ...found } = reader(source, HERE, isShared(path));
  return { sha, ...found, ...withSubjects(tests.slice(0, MOST_TESTS), sourcesOf(path, source, lookAt(root)) ?? []) };
}

/** What each test uses, by its position in a list of all. */
function withSubjects(tests: readonly FoundTest[], sources: readonly Source[]): Pick<TestFile, "tests" | "subjects"> {
  const places = new Map<string, number>();
  const subjects: Subject[] = [];
  const placeOf = ({ path, name }: Subject): number => {
    const key = JSON.stringify([path, name]);
    const place = places.get(key) ?? subjects.push({ path, name }) - 1;
    places.set(key, place);
    return place;
  };
  const watched = tests.map(({ body, ...test }): WatchedTest => {
    const of = body === undefined ? [] : [...new Set(usedIn(body, sources).map(placeOf))];
    return of.length > 0 ? { ...test, of } : test;
  });
  if (watched.some(({ of }) => !of)) sources.forEach(placeOf);
  return subjects.length > 0 ? { tests: watched, subjects } : { tests: watched };
}

const lookAt = (root: string): Look => ({
  exists: (path) => isFileAt(join(root, path)),
  definedIn: (path) => definedIn(textAt(join(root, path))),
  beside: (path) => namesIn(join(root, dirname(path))).map((name) => join(dirname(path), name)),
});

/** How many tests have each title; `counts`: which ones do. */
export function titlesOf(inventory: Inventory, counts = (_: WatchedTest) => true): Map<string, number> {
  const times = new Map<string, number>();
  for (const { title } of Object.values(inventory).flatMap(({ tests }) => tests.filter(counts))) {
    times.set(title, (times.get(title) ?? 0) + 1);
  }
  return times;
}

/** Whether a file of tests is as it was. */
export function isUnchanged(root: string, path: string, { sha }: TestFile): boolean {
  const content = contentAt(join(root, path), MOST_BYTES);
  return content !== null && sha256(content) === sha;
}
