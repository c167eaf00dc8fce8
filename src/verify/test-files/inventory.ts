import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../tamper/file-state.ts";
import { walkFiles } from "../tamper/globs.ts";
import { dotnetTests, goTests, jvmTests, phpTests, rustTests } from "./braces.ts";
import { isTestFile } from "./file-role.ts";
import type { FoundTests } from "./found.ts";
import { javascriptTests } from "./javascript.ts";
import { pythonTests } from "./python.ts";
import { batsTests, rubyTests } from "./ruby.ts";

export interface TestFile extends FoundTests {
  sha: string;
}

export type Inventory = Record<string, TestFile>;

const SKIPPED = new Set(
  ".git node_modules vendor dist build out target coverage .next .nuxt .venv venv env __pycache__ .tox .nox .cache .ralph site-packages third_party Pods .gradle .idea .turbo bower_components".split(
    " ",
  ),
);
const MOST_SEEN = 100_000;
const MOST_FILES = 3_000;
const MOST_BYTES = 512 << 10;
const MOST_TESTS = 2_000;

type Reader = (source: string) => FoundTests;

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
  for (const path of walkFiles(root, "", { skip: SKIPPED, most: MOST_SEEN })) {
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
  const { tests, only, assertions } = reader(content.toString("utf8"));
  return { sha, tests: tests.slice(0, MOST_TESTS), only, assertions };
}

function contentOf(path: string): Buffer | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
