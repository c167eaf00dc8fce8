import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Conflict, conflictReader } from "./conflicts.ts";
import type { Checkout } from "./rescue-uncommitted.ts";
import { makeRepository } from "./scratch.ts";
import { branchRef, gitErrorText } from "./task-refs.ts";

interface Sides {
  ours: string;
  theirs: string;
  /** The names that conflict markers show. */
  branch: string;
  target: string;
}

export type MergedTrees = { is: "merged"; tree: string; conflicts: Conflict[] } | { is: "failed"; why: string };

/** Built-in ways to merge may be chosen by the repository (`merge=union`); the length of markers may not. */
const ATTRIBUTES = "* !conflict-marker-size !filter\n";
const MOST_CONFLICTS = 10_000;
/** A name that git takes for the branch, whatever else it could mean. */
const PLAIN_NAME = /^[A-Za-z][\w./-]*$/;

/**
 * Merges two commits, and gives the tree of what comes of it, conflicts with their markers in it. Neither files nor refs
 * are touched. It is done by a repository of our own that writes to the objects of the other one: programs that its
 * configuration names for merging are not run. Those of the person's own configuration are.
 */
export async function mergeTrees(checkout: Checkout, { ours, theirs, branch, target }: Sides): Promise<MergedTrees> {
  const { run, gitDir, path } = checkout;
  const ask = async (...args: string[]) => (await run(["rev-parse", ...args])).stdout.replace(/\n$/, "");
  const objects = await ask("--path-format=absolute", "--git-path", "objects");
  const shallow = await ask("--path-format=absolute", "--git-path", "shallow");
  const format = await ask("--show-object-format");
  const folder = join(gitDir, "ralph-merge");
  const env = { GIT_DIR: folder, GIT_WORK_TREE: path, GIT_OBJECT_DIRECTORY: objects };
  try {
    makeRepository(folder, { objects, excludes: "", format, attributes: ATTRIBUTES });
    if (existsSync(shallow)) copyFileSync(shallow, join(folder, "shallow"));
    const names = [];
    for (const [name, commit] of [
      [branch, ours],
      [target, theirs],
    ] as const) {
      await run(["update-ref", branchRef(name), commit], { env });
      names.push(PLAIN_NAME.test(name) && !/HEAD$/.test(name) ? name : branchRef(name));
    }
    const reader = conflictReader();
    const { code, stderr } = await run(["merge-tree", "--write-tree", "-z", ...names], { env, take: reader.add });
    reader.end();
    if ((code !== 0 && code !== 1) || reader.tree() === "") return { is: "failed", why: gitErrorText(stderr) };
    const conflicts = reader.conflicts();
    // Without a list nobody could tell whether they are mended.
    if (code === 1 && conflicts.length === 0) return { is: "failed", why: "git tells of conflicts, but not where" };
    if (conflicts.length > MOST_CONFLICTS) return { is: "failed", why: `${conflicts.length} files are in conflict` };
    return { is: "merged", tree: reader.tree(), conflicts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
