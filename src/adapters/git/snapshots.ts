import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { IGNORED_PATTERNS, KEPT_PATTERNS } from "../../core/ralph-files.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { type ProgramRun, runProgram } from "../io/program.ts";
import { escapedPath, rulesAtRoot } from "./ignore-rules.ts";
import { git, NO_PROMPTS } from "./repository.ts";
import { borrowedFrom, EXACT, makeRepository, ownGit } from "./scratch.ts";

/** A path left out of a snapshot. `bytes` is null for a nested repository or an unreadable file. */
export interface LeftOut {
  path: string;
  bytes: number | null;
}

/** Captures the files of a checkout as git trees. */
export interface Snapshots {
  /** The id of a tree of all files that are not ignored, byte for byte. Null if it fails or is slow; never throws. */
  capture(quit: AbortSignal): Promise<string | null>;
}

interface SnapshotsRequest {
  cwd: string;
  /** The repository that stores the snapshots; created if missing. */
  folder: string;
  /** Folders whose files are never part of a snapshot, such as Ralph's own state. */
  without: readonly string[];
  /** A capture that takes longer is aborted, and later captures are skipped. */
  limitMs?: number;
  /**
   * The snapshots decide what the agent has changed: the ignore rules of the first one stay in force, and large files
   * are stored.
   */
  decisive?: boolean;
}

/** Larger files are recorded by name and size only. */
const MOST_FILE_BYTES = 20 << 20;
const MOST_FILES = 100_000;
const LIMIT_MS = 20_000;
/** The limits of snapshots that decide: without them, there is no verdict. */
const DECISIVE = { fileBytes: 1 << 30, limitMs: 180_000 };

/**
 * Snapshots of the checkout that `cwd` is in, stored in a separate repository that shares the objects of the user's and
 * has its own index. Nothing is written to the user's repository, and its settings, filters, attributes and index flags
 * have no effect. Only one process may capture at a time.
 */
export function openSnapshots({ cwd, folder, without, decisive = false, ...limits }: SnapshotsRequest): Snapshots {
  const { limitMs = decisive ? DECISIVE.limitMs : LIMIT_MS } = limits;
  const root = checkoutRoot(cwd);
  let isGivenUp = root === null;
  return {
    async capture(quit) {
      if (root === null || isGivenUp || quit.aborted) return null;
      const late = AbortSignal.timeout(limitMs);
      const stop = AbortSignal.any([quit, late]);
      const at: At = { root, folder, without, decisive, run: ownGit(folder, root), quit: stop };
      try {
        return await take(at);
      } catch {
        // A loop does not depend on snapshots. A checkout that was too large this time would be so again.
        isGivenUp = late.aborted;
        return null;
      }
    },
  };
}

interface At {
  root: string;
  folder: string;
  without: readonly string[];
  decisive: boolean;
  run: ReturnType<typeof ownGit>;
  quit: AbortSignal;
}

const LAST = "last-tree";
const LEFT_OUT = "left-out";

async function take(at: At): Promise<string> {
  if (!existsSync(join(at.folder, LAST))) await make(at);
  // Only one process captures at a time, so an existing lock was left by a killed one.
  rmSync(join(at.folder, "index.lock"), { force: true });
  const changed = await listChanged(at);
  const sorted = sort(at, changed);
  await update(at, sorted);
  const last = readFileSync(join(at.folder, LAST), "utf8");
  const isSame = last !== "" && sorted.kept.length + sorted.dropped.length === 0;
  const tree = isSame ? last : (await must(at, ["write-tree", "--missing-ok"])).stdout.trim();
  if (!isSame) writeFileSync(join(at.folder, LAST), tree);
  noteLeftOut(at.folder, tree, sorted.leftOut);
  return tree;
}

/** Starts from the checked-out commit, so that only differences have to be stored. */
async function make(at: At): Promise<void> {
  const borrowed = await borrowedFrom(at.root);
  if (!borrowed) throw new Error("git cannot read this repository");
  mkdirSync(dirname(at.folder), { recursive: true });
  // Ignore rules outside the checkout are copied once, at the start.
  const excludes = [borrowed.ignored, borrowed.excludes, ...ownPatterns(at)].join("\n");
  makeRepository(at.folder, { ...borrowed, excludes, attributes: EXACT });
  const head = (await git(at.root, "rev-parse", "--verify", "--quiet", "HEAD")).stdout.trim();
  await must(at, ["read-tree", ...(head ? [head] : ["--empty"])]);
  // Exits with 1 if a file differs, so its exit code does not show a failure.
  await at.run(["update-index", "-q", "--refresh"], { quit: at.quit });
  at.quit.throwIfAborted();
  if (at.decisive) writeFileSync(join(at.folder, IGNORED), rulesAtRoot(excludes.split("\n"), await ignoreFiles(at)));
  writeFileSync(join(at.folder, LAST), "");
}

/** The ignore rules of the first snapshot, in a repository whose snapshots decide. */
const IGNORED = "ignored";
const MOST_IGNORE_FILES = 2_000;
const MOST_IGNORE_BYTES = 1 << 20;

async function ignoreFiles({ root, run, quit }: At): Promise<{ folder: string; text: string }[]> {
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

const ownPatterns = ({ root, without }: At): string[] => [
  ...[...IGNORED_PATTERNS, ...KEPT_PATTERNS].map((pattern) => `**/.ralph/${pattern}`),
  ...without.flatMap((folder) => {
    const path = existsSync(folder) ? relative(realpathSync(root), realpathSync(folder)) : "";
    return path === "" || path.startsWith("..") ? [] : [`/${escapedPath(path)}/`];
  }),
];

/** Every path whose file differs from the index. */
async function listChanged({ root, folder, run, quit }: At, withIgnored = true): Promise<string[]> {
  const found = new Set<string>();
  const splitter = () => nulSplitter((path) => found.add(path), BYTES).add;
  const options = ["-c", "core.quotePath=false", "-c", "core.excludesFile=/dev/null"];
  const rules = join(folder, IGNORED);
  const ignored = existsSync(rules) ? `--exclude-from=${rules}` : "--exclude-standard";
  const list = [...options, "ls-files", "-z", "--modified", "--others", ignored];
  const [own, hidden] = await Promise.all([
    run(list, { take: splitter(), quit }),
    withIgnored ? trackedIgnored(root, splitter(), quit) : NOT_ASKED,
  ]);
  requireZero(own);
  requireZero(hidden);
  if (found.size > MOST_FILES) throw new Error(`more than ${MOST_FILES} files differ`);
  return [...found];
}

const NOT_ASKED: ProgramRun = { code: 0, stdout: "", stderr: "" };

/** Tracked files that the ignore rules match. Only the user's index shows that they are tracked. */
const trackedIgnored = (root: string, take: (chunk: Buffer) => void, quit: AbortSignal): Promise<ProgramRun> =>
  runProgram({ file: "git", args: TRACKED_IGNORED, cwd: root, env: NO_PROMPTS, quit, take });

const TRACKED_IGNORED = [
  ...["--no-optional-locks", "-c", "core.fsmonitor=false"],
  ...["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
];

/** File names need not be valid UTF-8, so each byte is read as one character. */
const BYTES = "latin1";

interface Sorted {
  kept: string[];
  /** To be removed from the index, and first: a file may have become a folder, or the other way round. */
  dropped: string[];
  leftOut: LeftOut[];
}

function sort({ root, decisive }: At, paths: readonly string[]): Sorted {
  const most = decisive ? DECISIVE.fileBytes : MOST_FILE_BYTES;
  const sorted: Sorted = { kept: [], dropped: [], leftOut: [] };
  for (const path of paths) {
    // A trailing slash marks a nested repository: git would store its commit instead of its files.
    const found = path.endsWith("/")
      ? null
      : lookAt(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, BYTES)]), most);
    if (found === "there") sorted.kept.push(path);
    else if (!path.endsWith("/")) sorted.dropped.push(path);
    if (found === null || typeof found === "number") sorted.leftOut.push({ path, bytes: found });
  }
  return sorted;
}

/** Whether a path can be stored or is gone; otherwise its size, or null if it cannot be read. */
function lookAt(path: Buffer, most: number): "there" | "gone" | number | null {
  const stats = entryAt(path);
  // A folder is listed only if it is a submodule.
  if (!stats || (stats.isDirectory() && !existsSync(Buffer.concat([path, Buffer.from("/.git")])))) return "gone";
  if (!stats.isFile()) return "there";
  if (stats.size > most) return stats.size;
  try {
    accessSync(path, constants.R_OK);
    return "there";
  } catch {
    return null;
  }
}

async function update(at: At, { kept, dropped }: Sorted): Promise<void> {
  const list = join(at.folder, "paths");
  const feed = async (options: readonly string[], paths: readonly string[]) => {
    if (paths.length === 0) return;
    writeFileSync(list, paths.map((path) => `${path}\0`).join(""), BYTES);
    await must(at, ["update-index", ...options, "-z", "--stdin"], list);
  };
  await feed(["--force-remove"], dropped);
  await feed(["--add", "--remove", "--replace"], kept);
}

async function must({ run, quit }: At, args: readonly string[], stdin?: string): Promise<ProgramRun> {
  return requireZero(await run(args, { quit, ...(stdin === undefined ? {} : { stdin }) }));
}

function requireZero(ended: ProgramRun): ProgramRun {
  if (ended.code !== 0) throw new Error(ended.stderr.trim() || "git failed");
  return ended;
}

function noteLeftOut(folder: string, tree: string, leftOut: readonly LeftOut[]): void {
  const path = leftOutPath(folder, tree);
  rmSync(path, { force: true });
  if (leftOut.length === 0) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, leftOut.map(({ path, bytes }) => `${bytes ?? ""} ${path}\0`).join(""), BYTES);
}

const leftOutPath = (folder: string, tree: string): string => join(folder, LEFT_OUT, tree);

export function leftOutOf(folder: string, tree: string): LeftOut[] {
  try {
    const lines = readFileSync(leftOutPath(folder, tree), "utf8").split("\0").filter(Boolean);
    return lines.map((line) => {
      const space = line.indexOf(" ");
      return { path: line.slice(space + 1), bytes: space === 0 ? null : Number(line.slice(0, space)) };
    });
  } catch {
    return [];
  }
}

/** Whether the checkout equals the last snapshot; null if unknown. Read-only, safe while another process captures. */
export async function isAsCaptured(cwd: string, folder: string, quit: AbortSignal): Promise<boolean | null> {
  const root = checkoutRoot(cwd);
  if (root === null || !existsSync(join(folder, LAST))) return null;
  try {
    const at = { root, folder, without: [], decisive: false, run: ownGit(folder, root), quit };
    const known = new Set(leftOutOf(folder, readFileSync(join(folder, LAST), "utf8")).map(({ path }) => path));
    const changed = await listChanged(at, false);
    return changed.every((path) => known.has(Buffer.from(path, BYTES).toString("utf8")));
  } catch {
    return null;
  }
}

/** Creates a repository for comparing commits of the checkout. False if git cannot read the checkout. */
export async function makeComparing(root: string, folder: string): Promise<boolean> {
  const borrowed = await borrowedFrom(root);
  if (borrowed) makeRepository(folder, { ...borrowed, attributes: EXACT });
  return borrowed !== null;
}
