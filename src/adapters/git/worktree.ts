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
