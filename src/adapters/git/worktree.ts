import { cut } from "../../core/excerpt.ts";
import { runProgram } from "../io/program.ts";
import { configVariables, filtersOff, PLAIN } from "./hardened-git.ts";
import { git, NO_PROMPTS } from "./repository.ts";

interface WorktreeRequest {
  /** In the repository. */
  cwd: string;
  /** What does not exist yet, outside of every checkout. */
  path: string;
  commit: string;
}

/** Checks a commit out in a new worktree without a branch. Null, or why that was not possible. */
export async function addWorktree({ cwd, path, commit }: WorktreeRequest): Promise<string | null> {
  const settings = { ...PLAIN, ...(await filtersOff(cwd)) };
  const args = ["worktree", "add", "--quiet", "--detach", path, commit];
  const env = { ...NO_PROMPTS, GIT_NO_REPLACE_OBJECTS: "1", ...configVariables(settings) };
  const { code, stderr } = await runProgram({ file: "git", args, cwd, env });
  return code === 0 ? null : cut(stderr.trim() || "git could not be run", 500);
}

/** Makes git forget a worktree whose folder is gone; others that are not there at the moment are let alone. */
export async function forgetWorktree(cwd: string, path: string): Promise<void> {
  await git(cwd, "worktree", "remove", "--force", "--force", path);
}
