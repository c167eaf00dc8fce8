import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Conflict, conflictReader } from "./conflicts.ts";
import { makeRepository } from "./own-repository.ts";
import type { Checkout } from "./rescue-uncommitted.ts";
import { branchRef, gitErrorText } from "./task-refs.ts";

interface Sides {
  ours: string;
  theirs: string;
  /** The names shown in conflict markers. */
  branch: string;
  target: string;
}

export type MergedTrees = { is: "merged"; tree: string; conflicts: Conflict[] } | { is: "failed"; why: string };

/** The repository may choose a built-in merge driver (`merge=union`), but not the length of conflict markers. */
const ATTRIBUTES = "* !conflict-marker-size !filter\n";
const MOST_CONFLICTS = 10_000;
/** Names that git cannot mistake for anything but the branch. */
const PLAIN_NAME = /^[A-Za-z][\w./-]*$/;

/**
 * Merges two commits into a tree that contains conflict markers where they conflict. Neither files nor refs change. The
 * merge runs in a temporary repository that shares the objects of the original: merge drivers of the repository's
 * configuration do not run, those of the user's global configuration do.
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
    // Without a list of files it cannot be checked whether the conflicts are resolved.
    if (code === 1 && conflicts.length === 0)
      return { is: "failed", why: "git reports conflicts, but not in which files" };
    if (conflicts.length > MOST_CONFLICTS) return { is: "failed", why: `${conflicts.length} files are in conflict` };
    return { is: "merged", tree: reader.tree(), conflicts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
