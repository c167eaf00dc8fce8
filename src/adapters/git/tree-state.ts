import { createHash, type Hash } from "node:crypto";
import { readFileSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isRalphFile } from "../../core/ralph-files.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { entryAt } from "../io/look.ts";
import { runProgram } from "../io/program.ts";

/** Beyond these limits a changed file is compared by size and time only. */
const MOST_READ_BYTES = 1 << 20;
const MOST_READ_FILES = 2_000;
/** Version 2 of the format includes the commit, which saves a second process. */
const STATUS = [
  ...["--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z"],
  ...["--untracked-files=all", "--no-renames"],
];
/** A longer list is truncated and may hide a change. */
const MOST_LIST_CHARS = 1_000_000;

/** A digest of the commit and every differing or untracked file, without Ralph's own. Read-only. Null if unknown. */
export const treeState = async (cwd: string, quit?: AbortSignal): Promise<string | null> =>
  (await checkoutState(cwd, quit))?.tree ?? null;

interface CheckoutState {
  /** Empty before the first commit. */
  head: string;
  /** The digest of the working tree; null if it cannot be determined. */
  tree: string | null;
}

/** The commit of a checkout and the digest of its working tree, from one git process. Null if git cannot read it. */
export async function checkoutState(cwd: string, quit?: AbortSignal): Promise<CheckoutState | null> {
  const root = checkoutRoot(cwd);
  // May be slow in a large tree. It writes nothing, so it can be aborted at any time.
  const status = await runProgram({ file: "git", args: STATUS, cwd, ...(quit ? { quit } : {}) });
  if (status.code !== 0 || root === null || status.stdout.length >= MOST_LIST_CHARS) return null;
  const lines = status.stdout.split("\0").filter(Boolean);
  const head = /^[0-9a-f]+$/.exec(lines.find((line) => line.startsWith(OID))?.slice(OID.length) ?? "")?.[0] ?? "";
  return { head, tree: digestOf(root, head, lines.flatMap(entryOf)) };
}

const OID = "# branch.oid ";

const CHANGED = /^(?:1 (..) (?:\S+ ){6}|u (..) (?:\S+ ){8})([\s\S]*)$/;

/** Converts an entry to version 1 of the format: two letters and the path. Headers are dropped. */
function entryOf(line: string): string[] {
  if (line.startsWith("? ")) return [`?? ${line.slice(2)}`];
  const [, changed, unmerged, path = ""] = CHANGED.exec(line) ?? [];
  const letters = changed ?? unmerged;
  return letters === undefined ? [] : [`${letters.replaceAll(".", " ")} ${path}`];
}

function digestOf(root: string, head: string, all: readonly string[]): string | null {
  const hash = createHash("sha256").update(head);
  const entries = all.filter((entry) => !isRalphFile(entry.slice(3)));
  for (const [i, entry] of entries.entries()) {
    const path = join(root, entry.slice(3));
    const stats = entryAt(path);
    // A nested repository: its changes are not listed.
    if (stats?.isDirectory()) return null;
    hash.update(`\0${entry}\0`);
    if (stats) addFile(hash, path, stats, i < MOST_READ_FILES);
  }
  return hash.digest("hex");
}

/** The digest of a checkout without changes. */
export const cleanState = (head: string): string => createHash("sha256").update(head).digest("hex");

function addFile(hash: Hash, path: string, stats: Stats, read: boolean): void {
  hash.update(`${stats.mode} ${stats.size} `);
  try {
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isFile() && read && stats.size <= MOST_READ_BYTES) hash.update(readFileSync(path));
    else hash.update(String(stats.mtimeMs));
  } catch {
    // Gone or unreadable by now: its name and size are enough.
  }
}
