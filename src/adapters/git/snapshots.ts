import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { KEPT_PATTERNS, RUN_PATTERNS } from "../../core/run-files.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { type ProgramRun, runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";
import { borrowedFrom, makeRepository, ownGit } from "./scratch.ts";

/** A path that is in no snapshot, and why: its size, or null for a repository inside this one and what cannot be read. */
export interface LeftOut {
  path: string;
  bytes: number | null;
}

/** Trees of a checkout as it was at one moment and another. */
export interface Snapshots {
  /**
   * The id of a git tree with every tracked file and every other one that is not ignored, byte for byte. Null where it
   * cannot be taken, or not in time: never an error.
   */
  capture(quit: AbortSignal): Promise<string | null>;
}

interface SnapshotsRequest {
  /** In the checkout. */
  cwd: string;
  /** The repository of the snapshots: made when it is not there, and kept. */
  folder: string;
  /** Folders whose files are never part of a snapshot, such as Ralph's own state. */
  without: readonly string[];
  /** A capture that takes longer is given up, and so are all later ones. */
  limitMs?: number;
}

/** A larger file is known by its name and size. */
const MOST_FILE_BYTES = 20 << 20;
const MOST_FILES = 100_000;
const LIMIT_MS = 20_000;

/** Files come in as they are on the disk, and are compared as what they are. */
const ATTRIBUTES = "* !diff -text -ident -filter !eol !working-tree-encoding\n";

/**
 * Snapshots of the checkout that `cwd` is in. They live in a repository of our own that borrows the objects of the
 * user's and keeps an index of its own: nothing is written to the user's repository, and none of its settings, filters,
 * attributes or index flags counts. Whoever captures is the only one to do so.
 */
export function openSnapshots({ cwd, folder, without, limitMs = LIMIT_MS }: SnapshotsRequest): Snapshots {
  const root = checkoutRoot(cwd);
  let isGivenUp = root === null;
  return {
    async capture(quit) {
      if (root === null || isGivenUp || quit.aborted) return null;
      const late = AbortSignal.timeout(limitMs);
      const at: At = { root, folder, without, run: ownGit(folder, root), quit: AbortSignal.any([quit, late]) };
      try {
        return await take(at);
      } catch {
        // Whatever went wrong, a loop does not depend on it; one that is too large would be so the next time, too.
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
  run: ReturnType<typeof ownGit>;
  quit: AbortSignal;
}

const LAST = "last-tree";
const LEFT_OUT = "left-out";

async function take(at: At): Promise<string> {
  if (!existsSync(join(at.folder, LAST))) await make(at);
  // Only one captures at a time: a lock is what one that was killed has left.
  rmSync(join(at.folder, "index.lock"), { force: true });
  const changed = await listChanged(at);
  const sorted = sort(at.root, changed);
  await update(at, sorted);
  const last = readFileSync(join(at.folder, LAST), "utf8");
  const isSame = last !== "" && sorted.kept.length + sorted.dropped.length === 0;
  const tree = isSame ? last : (await must(at, ["write-tree", "--missing-ok"])).stdout.trim();
  if (!isSame) writeFileSync(join(at.folder, LAST), tree);
  noteLeftOut(at.folder, tree, sorted.leftOut);
  return tree;
}

/** Begins with the commit that is checked out, so that only what differs from it has to be stored. */
async function make(at: At): Promise<void> {
  const borrowed = await borrowedFrom(at.root);
  if (!borrowed) throw new Error("git cannot read this repository");
  mkdirSync(dirname(at.folder), { recursive: true });
  // What the user ignores beside the files in the checkout is what it was at the start.
  const excludes = [borrowed.ignored, borrowed.excludes, ...ownPatterns(at)].join("\n");
  makeRepository(at.folder, { ...borrowed, excludes, attributes: ATTRIBUTES });
  const head = (await git(at.root, "rev-parse", "--verify", "--quiet", "HEAD")).stdout.trim();
  await must(at, ["read-tree", ...(head ? [head] : ["--empty"])]);
  // Exits with 1 where a file differs, which is not known by its exit code alone.
  await at.run(["update-index", "-q", "--refresh"], { quit: at.quit });
  at.quit.throwIfAborted();
  writeFileSync(join(at.folder, LAST), "");
}

const ownPatterns = ({ root, without }: At): string[] => [
  ...[...RUN_PATTERNS, ...KEPT_PATTERNS].map((pattern) => `**/.ralph/${pattern}`),
  ...without.flatMap((folder) => {
    const path = existsSync(folder) ? relative(realpathSync(root), realpathSync(folder)) : "";
    return path === "" || path.startsWith("..") ? [] : [`/${escaped(path)}/`];
  }),
];

const escaped = (path: string): string => path.replace(/[\\*?[\]!# ]/g, "\\$&");

/** Every path that is not in the index as it is on the disk. */
async function listChanged({ root, run, quit }: At, withIgnored = true): Promise<string[]> {
  const found = new Set<string>();
  const add = (path: string) => {
    if (path !== "") found.add(path);
  };
  const splitters = [pathSplitter(add), pathSplitter(add)] as const;
  const options = ["-c", "core.quotePath=false", "-c", "core.excludesFile=/dev/null"];
  const list = [...options, "ls-files", "-z", "--modified", "--others", "--exclude-standard"];
  const [own, ignored] = await Promise.all([
    run(list, { take: splitters[0], quit }),
    withIgnored ? trackedIgnored(root, splitters[1], quit) : NOT_ASKED,
  ]);
  requireZero(own);
  requireZero(ignored);
  if (found.size > MOST_FILES) throw new Error(`more than ${MOST_FILES} files differ`);
  return [...found];
}

const NOT_ASKED: ProgramRun = { code: 0, stdout: "", stderr: "" };

/** Files that were added in spite of the ignore rules: that they are tracked is known to the user's index alone. */
const trackedIgnored = (root: string, take: (chunk: Buffer) => void, quit: AbortSignal): Promise<ProgramRun> =>
  runProgram({ file: "git", args: TRACKED_IGNORED, cwd: root, env: NO_PROMPTS, quit, take });

const TRACKED_IGNORED = [
  ...["--no-optional-locks", "-c", "core.fsmonitor=false"],
  ...["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
];

/** Names of files need not be text: one byte is one character here. */
const BYTES = "latin1";

function pathSplitter(found: (path: string) => void): (chunk: Buffer) => void {
  let rest = "";
  return (chunk) => {
    const parts = (rest + chunk.toString(BYTES)).split("\0");
    rest = parts.pop() ?? "";
    for (const path of parts) found(path);
  };
}

interface Sorted {
  /** To be taken as they are on the disk. */
  kept: string[];
  /** To be removed from the index, and first: a file may have become a folder, or the other way round. */
  dropped: string[];
  leftOut: LeftOut[];
}

function sort(root: string, paths: readonly string[]): Sorted {
  const sorted: Sorted = { kept: [], dropped: [], leftOut: [] };
  for (const path of paths) {
    // A name that ends so is a repository inside this one: git would take its commit for all that is in it.
    const found = path.endsWith("/")
      ? null
      : lookAt(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, BYTES)]));
    if (found === "there") sorted.kept.push(path);
    else if (!path.endsWith("/")) sorted.dropped.push(path);
    if (found === null || typeof found === "number") sorted.leftOut.push({ path, bytes: found });
  }
  return sorted;
}

/** Whether a path can be taken, or is gone; otherwise its size, and null where it cannot be read. */
function lookAt(path: Buffer): "there" | "gone" | number | null {
  const stats = statsOf(path);
  // Only a submodule is known by the name of its folder.
  if (!stats || (stats.isDirectory() && !existsSync(Buffer.concat([path, Buffer.from("/.git")])))) return "gone";
  if (!stats.isFile()) return "there";
  if (stats.size > MOST_FILE_BYTES) return stats.size;
  try {
    accessSync(path, constants.R_OK);
    return "there";
  } catch {
    return null;
  }
}

function statsOf(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // also below what has become a file
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
  if (ended.code !== 0) throw new Error(ended.stderr.trim() || "git did not end well");
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

/** What was there and is not in a snapshot. */
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

/**
 * Whether the checkout is still as the last snapshot has it; null where that is not known. Writes nothing, and may be
 * asked while another process captures.
 */
export async function isAsCaptured(cwd: string, folder: string, quit: AbortSignal): Promise<boolean | null> {
  const root = checkoutRoot(cwd);
  if (root === null || !existsSync(join(folder, LAST))) return null;
  try {
    const at = { root, folder, without: [], run: ownGit(folder, root), quit };
    const known = new Set(leftOutOf(folder, readFileSync(join(folder, LAST), "utf8")).map(({ path }) => path));
    const changed = await listChanged(at, false);
    return changed.every((path) => known.has(Buffer.from(path, BYTES).toString("utf8")));
  } catch {
    return null;
  }
}

/** Makes a repository for comparing commits, with the objects of the checkout. False where git cannot read that one. */
export async function makeComparing(root: string, folder: string): Promise<boolean> {
  const borrowed = await borrowedFrom(root);
  if (borrowed) makeRepository(folder, { ...borrowed, attributes: ATTRIBUTES });
  return borrowed !== null;
}
