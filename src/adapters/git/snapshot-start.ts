import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { IGNORED_PATTERNS, KEPT_PATTERNS } from "../../core/ralph-files.ts";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { runProgram } from "../io/program.ts";
import {
  BYTES,
  type Compared,
  feed,
  IGNORED,
  listChanged,
  must,
  requireZero,
  sortChanged,
  storeChanged,
} from "./checkout-changes.ts";
import { escapedPath, rulesAtRoot } from "./ignore-rules.ts";
import { EXACT, makeRepository } from "./own-repository.ts";
import { git, NO_PROMPTS } from "./repository.ts";
import { borrowedFrom } from "./scratch.ts";
import { REPOSITORY_MODE } from "./tree-changes.ts";

export interface Starting extends Compared {
  without: readonly string[];
  decisive: boolean;
  copied: boolean;
}

/** Makes the repository of snapshots from the checked-out commit, so that only differences have to be stored. */
export async function makeStart(at: Starting): Promise<void> {
  const { root, folder, decisive, copied, run, quit } = at;
  const borrowed = await borrowedFrom(root);
  if (!borrowed) throw new Error("git cannot read this repository");
  mkdirSync(dirname(folder), { recursive: true });
  // Ignore rules outside the checkout are copied once, at the start.
  const excludes = [borrowed.ignored, borrowed.excludes, ...ownPatterns(at)].join("\n");
  makeRepository(folder, { ...borrowed, excludes, attributes: EXACT });
  const head = (await git(root, "rev-parse", "--verify", "--quiet", "HEAD")).stdout.trim();
  await must(at, ["read-tree", ...(head ? [head] : ["--empty"])]);
  // Exits with 1 if a file differs, so its exit code does not show a failure.
  await run(["update-index", "-q", "--refresh"], { quit });
  quit.throwIfAborted();
  if (decisive) {
    await keepReferences(at);
    await enterRepositories(at, borrowed.format);
    writeFileSync(join(folder, IGNORED), rulesAtRoot(excludes.split("\n"), await ignoreFiles(at)));
  }
  if (copied) await copyObjects(at, head);
}

const REFERENCES = ["for-each-ref", "--format=%(objectname) %(refname)"];

/** What a check that asks git for tags or branches finds in a room. */
async function keepReferences({ root, folder, quit }: Starting): Promise<void> {
  const packed = openSync(join(folder, "packed-refs"), "w");
  const take = (chunk: Buffer) => void writeSync(packed, chunk);
  await runProgram({ file: "git", args: REFERENCES, cwd: root, env: NO_PROMPTS, quit, take });
  closeSync(packed);
  const shallow = (await git(root, "rev-parse", "--path-format=absolute", "--git-path", "shallow")).stdout.trim();
  if (existsSync(shallow)) cpSync(shallow, join(folder, "shallow"));
}

/** Files of a nested repository at the start are compared like all others. Git lists them if its index has one. */
async function enterRepositories(at: Starting, format: string): Promise<void> {
  const { root, run, quit } = at;
  const submodules: string[] = [];
  const { add: take } = nulSplitter((line) => {
    if (line.startsWith(REPOSITORY_MODE)) submodules.push(line.slice(line.indexOf("\t") + 1));
  }, BYTES);
  requireZero(await run(["ls-files", "-z", "--stage"], { take, quit }));
  await feed(at, ["--force-remove", "--stdin"], submodules);
  const entered = new Set<string>();
  for (;;) {
    const changed = await listChanged(at, false);
    const found = changed.filter((path) => path.endsWith("/") && !entered.has(path));
    if (found.length === 0) return;
    const nothing = "1".repeat(format === "sha256" ? 64 : 40);
    await feed(
      at,
      ["--index-info"],
      found.map((path) => `100644 ${nothing}\t${path}${PLACEHOLDER}`),
    );
    for (const path of found) entered.add(path);
    await storeChanged(at, sortChanged(root, await listChanged(at, false), Number.POSITIVE_INFINITY));
  }
}

const PLACEHOLDER = ".ralph-nested";

/** The file with the place of the user's objects, which only the history in a room needs. */
export const HISTORY = "history";

/** From now on, the objects of the user's repository have no effect. */
async function copyObjects(at: Starting, head: string): Promise<void> {
  const list = join(at.folder, "paths");
  writeFileSync(list, `${head}^{tree}\n`);
  // In a partial clone, objects that no file of the checkout has may be missing.
  const options = ["-q", "--revs", "--window=0", "--missing=allow-any"];
  mkdirSync(join(at.folder, "objects/pack"));
  if (head) await must(at, ["pack-objects", ...options, join(at.folder, "objects/pack/pack")], list);
  renameSync(join(at.folder, "objects/info/alternates"), join(at.folder, HISTORY));
}

const MOST_IGNORE_FILES = 2_000;
const MOST_IGNORE_BYTES = 1 << 20;

async function ignoreFiles({ root, run, quit }: Starting): Promise<{ folder: string; text: string }[]> {
  const paths: string[] = [];
  const { add: take } = nulSplitter((path) => paths.push(path));
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ":(top,glob)**/.gitignore"];
  requireZero(await run(list, { take, quit }));
  if (paths.length > MOST_IGNORE_FILES) throw new Error(`more than ${MOST_IGNORE_FILES} .gitignore files`);
  return [...new Set(paths)].flatMap((path) => {
    const stats = entryAt(join(root, path));
    if (!stats?.isFile() || stats.size > MOST_IGNORE_BYTES) return [];
    const folder = dirname(path);
    return [{ folder: folder === "." ? "" : folder, text: readFileSync(join(root, path), "utf8") }];
  });
}

const ownPatterns = ({ root, without }: Starting): string[] => [
  ...[...IGNORED_PATTERNS, ...KEPT_PATTERNS].map((pattern) => `**/.ralph/${pattern}`),
  ...without.flatMap((folder) => {
    const path = existsSync(folder) ? relative(realpathSync(root), realpathSync(folder)) : "";
    return path === "" || path.startsWith("..") ? [] : [`/${escapedPath(path)}/`];
  }),
];
