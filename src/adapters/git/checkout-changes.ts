import { accessSync, constants, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { type ProgramRun, runProgram } from "../io/program.ts";
import type { LeftOut } from "./left-out.ts";
import type { ownGit } from "./own-git.ts";
import { NO_PROMPTS } from "./repository.ts";

/** A repository made by `makeRepository` whose index is compared with a checkout. */
export interface Compared {
  /** The checkout. */
  root: string;
  /** The repository. */
  folder: string;
  run: ReturnType<typeof ownGit>;
  quit: AbortSignal;
}

/** File names need not be valid UTF-8, so each byte is read as one character. */
export const BYTES = "latin1";
/** The ignore rules of the first snapshot, in a repository whose snapshots decide. */
export const IGNORED = "ignored";
const MOST_FILES = 100_000;

/** Every path whose file differs from the index. A nested repository is one path that ends with a slash. */
export async function listChanged({ root, folder, run, quit }: Compared, withIgnored = true): Promise<string[]> {
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

export interface Sorted {
  kept: string[];
  /** To be removed from the index, and first: a file may have become a folder, or the other way round. */
  dropped: string[];
  leftOut: LeftOut[];
}

/** Divides paths by what is there now. Larger files than `mostBytes` are left out. */
export function sortChanged(root: string, paths: readonly string[], mostBytes: number): Sorted {
  const sorted: Sorted = { kept: [], dropped: [], leftOut: [] };
  const at = (path: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, BYTES)]);
  const known = new Map<string, boolean>();
  // What is found through a symlink is not part of the checkout.
  const isReal = (folder: string): boolean => {
    const found = known.get(folder) ?? (entryAt(at(folder))?.isDirectory() === true && isReal(above(folder)));
    known.set(folder, found);
    return found;
  };
  known.set("", true);
  for (const path of paths) {
    // A trailing slash marks a nested repository: git would store its commit instead of its files.
    const found = path.endsWith("/") ? null : isReal(above(path)) ? lookAt(at(path), mostBytes) : "gone";
    if (found === "there") sorted.kept.push(path);
    else if (!path.endsWith("/")) sorted.dropped.push(path);
    if (found === null || typeof found === "number") sorted.leftOut.push({ path, bytes: found });
  }
  return sorted;
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Whether a path can be stored or is gone; otherwise its size, or null if it cannot be read. */
function lookAt(path: Buffer, most: number): "there" | "gone" | number | null {
  const stats = entryAt(path);
  // A folder is listed only if it is a submodule; git stores no pipes, sockets and devices.
  if (stats?.isDirectory()) return existsSync(Buffer.concat([path, Buffer.from("/.git")])) ? "there" : "gone";
  if (stats?.isSymbolicLink()) return "there";
  if (!stats?.isFile()) return "gone";
  if (stats.size > most) return stats.size;
  try {
    accessSync(path, constants.R_OK);
    return "there";
  } catch {
    return null;
  }
}

/** Brings the index up to date with the checkout. */
export async function storeChanged(at: Compared, { kept, dropped }: Pick<Sorted, "kept" | "dropped">): Promise<void> {
  await feed(at, ["--force-remove", "--stdin"], dropped);
  await feed(at, ["--add", "--remove", "--replace", "--stdin"], kept);
}

/** Gives `git update-index` a list of paths or entries. */
export async function feed(at: Compared, options: readonly string[], lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const list = join(at.folder, "paths");
  writeFileSync(list, lines.map((line) => `${line}\0`).join(""), BYTES);
  await must(at, ["update-index", "-z", ...options], list);
}

export async function must({ run, quit }: Compared, args: readonly string[], stdin?: string): Promise<ProgramRun> {
  return requireZero(await run(args, { quit, ...(stdin === undefined ? {} : { stdin }) }));
}

export function requireZero(ended: ProgramRun): ProgramRun {
  if (ended.code !== 0) throw new Error(ended.stderr.trim() || "git failed");
  return ended;
}
