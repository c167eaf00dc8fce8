import { createHash, type Hash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isRunFile } from "../../core/run-files.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { runProgram } from "../io/program.ts";

/** Above these a changed file is known by its size and time only. */
const MOST_READ_BYTES = 1 << 20;
const MOST_READ_FILES = 2_000;
/** The second version tells the commit as well: one process instead of two. */
const STATUS = [
  ...["--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z"],
  ...["--untracked-files=all", "--no-renames"],
];
/** A longer list comes back shortened, and what was left out may be what changed. */
const MOST_LIST_CHARS = 1_000_000;

/**
 * A digest of the working tree: the commit it stands on and every file that differs from it, untracked ones included,
 * Ralph's own run files not: a log or a receipt is nobody's work.
 * Null where nobody can tell. Only looks: nothing is written, neither to the index nor to git's objects.
 */
export const treeState = async (cwd: string, quit?: AbortSignal): Promise<string | null> =>
  (await checkoutState(cwd, quit))?.tree ?? null;

/** Where a checkout stands. */
interface CheckoutState {
  /** Empty before the first commit. */
  head: string;
  /** The digest of the working tree; null where nobody can tell. */
  tree: string | null;
}

/** The commit that a checkout stands on and its working tree, in one look. Null where git cannot tell. */
export async function checkoutState(cwd: string, quit?: AbortSignal): Promise<CheckoutState | null> {
  const root = checkoutRoot(cwd);
  // It may take long in a large tree, and writes nothing: whoever wants to stop need not wait for it.
  const status = await runProgram({ file: "git", args: STATUS, cwd, ...(quit ? { quit } : {}) });
  if (status.code !== 0 || root === null || status.stdout.length >= MOST_LIST_CHARS) return null;
  const lines = status.stdout.split("\0").filter(Boolean);
  const head = /^[0-9a-f]+$/.exec(lines.find((line) => line.startsWith(OID))?.slice(OID.length) ?? "")?.[0] ?? "";
  return { head, tree: digestOf(root, head, lines.flatMap(entryOf)) };
}

const OID = "# branch.oid ";

const CHANGED = /^(?:1 (..) (?:\S+ ){6}|u (..) (?:\S+ ){8})([\s\S]*)$/;

/** An entry as the first version of the format has it: two letters and the path; headers are none. */
function entryOf(line: string): string[] {
  if (line.startsWith("? ")) return [`?? ${line.slice(2)}`];
  const [, changed, unmerged, path = ""] = CHANGED.exec(line) ?? [];
  const letters = changed ?? unmerged;
  return letters === undefined ? [] : [`${letters.replaceAll(".", " ")} ${path}`];
}

function digestOf(root: string, head: string, all: readonly string[]): string | null {
  const hash = createHash("sha256").update(head);
  const entries = all.filter((entry) => !isRunFile(entry.slice(3)));
  for (const [i, entry] of entries.entries()) {
    const path = join(root, entry.slice(3));
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
