import { createHash, type Hash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isReceiptPath } from "../core/run-files.ts";
import { runProgram } from "../io/program.ts";
import { git, headOf } from "./repository.ts";

/** Above these a changed file is known by its size and time only. */
const MOST_READ_BYTES = 1 << 20;
const MOST_READ_FILES = 2_000;
const STATUS = ["--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"];
/** A longer list comes back shortened, and what was left out may be what changed. */
const MOST_LIST_CHARS = 1_000_000;

/**
 * A digest of the working tree: the commit it stands on and every file that differs from it, untracked ones included,
 * receipts not: a loop that ended meanwhile is nobody's work.
 * Null where nobody can tell. Only looks: nothing is written, neither to the index nor to git's objects.
 */
export async function treeState(cwd: string, quit?: AbortSignal): Promise<string | null> {
  const [root, status] = await Promise.all([
    git(cwd, "rev-parse", "--show-toplevel"),
    // It may take long in a large tree, and writes nothing: whoever wants to stop need not wait for it.
    runProgram({ file: "git", args: STATUS, cwd, ...(quit ? { quit } : {}) }),
  ]);
  if (status.code !== 0 || root.code !== 0 || status.stdout.length >= MOST_LIST_CHARS) return null;
  const hash = createHash("sha256").update(await headOf(cwd));
  const entries = status.stdout.split("\0").filter((entry) => entry !== "" && !isReceiptPath(entry.slice(3)));
  for (const [i, entry] of entries.entries()) {
    const path = join(root.stdout.trimEnd(), entry.slice(3));
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A repository inside this one: what changes in it is not listed.
    if (stats?.isDirectory()) return null;
    hash.update(`\0${entry}\0`);
    if (stats) addFile(hash, path, stats, i < MOST_READ_FILES);
  }
  return hash.digest("hex");
}

/** The digest of a checkout in which nothing differs from its commit. */
export const cleanState = (head: string): string => createHash("sha256").update(head).digest("hex");

function addFile(hash: Hash, path: string, stats: Stats, read: boolean): void {
  hash.update(`${stats.mode} ${stats.size} `);
  try {
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isFile() && read && stats.size <= MOST_READ_BYTES) hash.update(readFileSync(path));
    else hash.update(String(stats.mtimeMs));
  } catch {
    // Gone or unreadable since: its name and size have to do.
  }
}
