import { rmSync } from "node:fs";
import { join } from "node:path";
import { isRalphFile } from "../../core/ralph-files.ts";
import { commitTree } from "./commit-tree.ts";
import { hardenedGit } from "./hardened-git.ts";
import { commitAt, swapRef } from "./task-refs.ts";
import { gitDirOf } from "./worktree-list.ts";

const SUBJECT = "Leave Ralph's run files out of the task";
const MOST = 500;
const RALPH = ":(top,glob)**/.ralph/**";

/**
 * Removes Ralph's own files from what a task has committed since `base`, with a commit on top. Files that were already
 * tracked at `base` are restored in the index. The files on disk stay. A .gitignore that was tracked before is left
 * alone.
 */
export async function untrackRalphFiles(cwd: string, base: string): Promise<void> {
  const run = await hardenedGit(cwd, { whose: "ralph" });
  const [head, gitDir] = [await commitAt(run, "HEAD"), await gitDirOf(run)];
  if (head === null || gitDir === null || head === base) return;
  const { stdout } = await run(["diff-tree", "-r", "-z", "--name-status", "--no-renames", base, head, "--", RALPH]);
  const fields = stdout.split("\0");
  const files = fields.flatMap((path, i) => {
    const isNew = fields[i - 1] === "A";
    return i % 2 === 1 && isRalphFile(path) && (isNew || !path.endsWith("/.gitignore"))
      ? [`:(top,literal)${path}`]
      : [];
  });
  if (files.length === 0) return;
  const index = join(gitDir, "ralph-index");
  const back = ["reset", "--quiet", base, "--", ...files.slice(0, MOST)];
  try {
    const env = { GIT_INDEX_FILE: index };
    await run(["read-tree", head], { env });
    await run(back, { env });
    const tree = (await run(["write-tree"], { env })).stdout.trim();
    const made = await commitTree(run, { tree, parents: [head], paragraphs: [SUBJECT] });
    if (made.is === "failed") return;
    const failed = await swapRef(run, "HEAD", { to: made.commit, from: head, why: "ralph: run files" });
    if (failed === null) await run(back);
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  }
}
