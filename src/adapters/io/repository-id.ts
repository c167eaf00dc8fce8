import { createHash } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { jsonAt, statAt } from "./look.ts";
import { replaceFile } from "./replace-file.ts";

/** A repository on this machine: its id is the name of its state folder, whatever its path is later. */
export interface RepositoryId {
  id: string;
  /** The common git directory, shared by all worktrees. */
  gitDir: string;
  /** The main checkout, or what stands for it: journals name the paths in it. */
  root: string;
  /** The inode of the git directory and its device: renaming keeps them, copying does not. */
  inode: string;
}

/** `moved`: from another path, with its history. `copied`: of a repository that is still there; a copy has its own. */
export interface Identity extends RepositoryId {
  is: "known" | "new" | "moved" | "copied";
  /** Where it was when its id was written; of a copy, the repository that has its id; of a new one, the lost one here. */
  from: RepositoryId | null;
}

interface Place extends Pick<RepositoryId, "gitDir" | "root"> {
  /** The parent of all state folders. */
  states: string;
}

/**
 * The identity of the repository at a place. Reads two small files if nothing has changed; writes nothing. The id in a git
 * directory may come from another machine or another repository: the owner that is recorded in the state folder decides.
 */
export function identityOf({ gitDir, root, states }: Place): Identity {
  const inode = inodeOf(gitDir);
  const here = { gitDir, root, inode };
  const from = idIn(gitDir);
  if (from === null) {
    const owner = ownerOf(states, folderName(root));
    const isLost = owner !== null && owner.inode !== inode && !isOwner(owner, gitDir);
    return { ...here, is: "new", id: freeName(here, states), from: isLost ? owner : null };
  }
  const owner = ownerOf(states, from.id);
  const keeper = keeperOf(owner ? [owner, from] : [from], here);
  if (keeper) return { ...here, is: "copied", id: freeName(here, states, from.id), from: keeper };
  // The same directory may have two paths, as a mount has.
  const isKnown = from.gitDir === gitDir || (from.inode === inode && inodeOf(from.gitDir) === inode);
  return { ...here, is: isKnown ? "known" : "moved", id: from.id, from };
}

type Here = Omit<RepositoryId, "id">;

/** The other repository that has the id of this one; null if there is none. Renaming a directory keeps its inode. */
function keeperOf(owners: readonly RepositoryId[], { gitDir, inode }: Here): RepositoryId | null {
  for (const owner of owners) {
    if (owner.inode === inode) return null;
    if (isOwner(owner, gitDir)) return owner;
  }
  return null;
}

/** A name that no other repository has or had. The first is the name in earlier versions, which recorded no owner. */
function freeName(here: Here, states: string, taken = ""): string {
  for (let salt = ""; ; salt += `\0${here.inode}`) {
    const name = folderName(here.root, salt);
    const owner = ownerOf(states, name);
    if (name !== taken && (owner === null || owner.inode === here.inode)) return name;
  }
}

/** Whether the repository that had an id still has it, at another path than `gitDir`. */
export const isOwner = (owner: RepositoryId, gitDir: string): boolean =>
  owner.gitDir !== gitDir && idIn(owner.gitDir)?.id === owner.id;

/** A readable and unique name for a folder: its base name and a digest of its path. */
export function folderName(path: string, more = ""): string {
  const digest = createHash("sha256").update(path).update(more).digest("hex").slice(0, 12);
  return `${basename(path).replace(/[^A-Za-z0-9._-]/g, "_") || "root"}-${digest}`;
}

const NAME = "ralph-id";

/** The id that was written into a git directory; null if there is none. */
export const idIn = (gitDir: string): RepositoryId | null => readId(join(gitDir, NAME));

/** The repository that a state folder belongs to; null if that was never recorded. */
export const ownerOf = (states: string, id: string): RepositoryId | null => readId(join(states, id, "repository.json"));

function readId(path: string): RepositoryId | null {
  const { id, gitDir, root, inode } = Object(jsonAt(path));
  const isWhole = [id, gitDir, root, inode].every((field) => typeof field === "string");
  // It becomes the name of a folder.
  return isWhole && /^[\w.-]+-[0-9a-f]{12}$/.test(id) ? { id, gitDir, root, inode } : null;
}

/**
 * Records where a repository is, in its git directory and in its state folder, which must exist. Of two first starts at
 * once the second finds the file of the first. A git directory that cannot be written leaves the id to the path.
 */
export function keepIdentity({ id, gitDir, root, inode, is }: Identity, states: string): void {
  const text = `${JSON.stringify({ id, gitDir, root, inode } satisfies RepositoryId, null, 2)}\n`;
  try {
    if (is === "new" && !statAt(join(gitDir, NAME))) writeFirst(join(gitDir, NAME), text);
    else replaceFile(join(gitDir, NAME), text);
    replaceFile(join(states, id, "repository.json"), text);
  } catch {
    // The next start tries again.
  }
}

function writeFirst(path: string, text: string): void {
  const half = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(half, text, { flag: "wx" });
    linkSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}

function inodeOf(path: string): string {
  const stats = statAt(path);
  return stats ? `${stats.dev}:${stats.ino}` : "";
}
