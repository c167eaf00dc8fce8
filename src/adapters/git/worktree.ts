import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cut } from "../../core/excerpt.ts";
import { runProgram } from "../io/program.ts";
import { configVariables, filtersOff, PLAIN } from "./hardened-git.ts";
import { git, NO_PROMPTS } from "./repository.ts";

interface WorktreeRequest {
  cwd: string;
  /** A path that does not exist yet, outside every checkout. */
  path: string;
  commit: string;
}

/** Checks out a commit in a new detached worktree. Returns the reason for a failure, or null. */
export async function addWorktree({ cwd, path, commit }: WorktreeRequest): Promise<string | null> {
  const settings = { ...PLAIN, ...(await filtersOff(cwd)) };
  const args = ["worktree", "add", "--quiet", "--detach", path, commit];
  const env = { ...NO_PROMPTS, GIT_NO_REPLACE_OBJECTS: "1", ...configVariables(settings) };
  const { code, stderr } = await runProgram({ file: "git", args, cwd, env });
  return code === 0 ? null : cut(stderr.trim() || "git could not be run", 500);
}

/** Unregisters a worktree whose folder is gone. Other missing worktrees stay registered. */
export async function forgetWorktree(cwd: string, path: string): Promise<void> {
  await git(cwd, "worktree", "remove", "--force", "--force", path);
}

/** Writes those of the files that a commit has into a new folder. The repository does not change; hooks do not run. */
export async function checkOutFiles(
  cwd: string,
  commit: string,
  paths: readonly string[],
  into: string,
): Promise<void> {
  mkdirSync(into, { recursive: true });
  const env = { ...NO_PROMPTS, GIT_INDEX_FILE: join(into, ".index"), GIT_NO_REPLACE_OBJECTS: "1" };
  const settings = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
  const run = (...args: string[]) => runProgram({ file: "git", args: [...settings, ...args], cwd, env });
  const { stdout } = await run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", ...paths);
  const found = stdout.split("\0").filter((path) => paths.includes(path));
  if (found.length === 0) return;
  await run("read-tree", commit);
  await run("checkout-index", "--force", `--prefix=${into}/`, "--", ...found);
}

/** Clones the committed state with shared objects, no remote, no hooks. Returns the reason for a failure, or null. */
export async function cloneHead(root: string, path: string): Promise<string | null> {
  const args = ["clone", "--quiet", "--shared", "--", root, path];
  const env = { ...NO_PROMPTS, GIT_LFS_SKIP_SMUDGE: "1" };
  const { code, stderr } = await runProgram({ file: "git", args, cwd: root, env });
  if (code !== 0) return cut(stderr.trim() || "git could not be run", 500);
  await git(path, "remote", "remove", "origin");
  // Commits in the clone have the same author as in the repository.
  for (const key of ["user.name", "user.email"]) {
    const { stdout } = await git(root, "config", "--get", key);
    if (stdout.trim()) await git(path, "config", key, stdout.trim());
  }
  return null;
}
