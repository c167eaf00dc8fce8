import { git } from "./repository.ts";

/** The branch that work targets: the remote's default branch, or the checked-out branch. Empty if there is neither. */
export async function baseBranch(cwd: string): Promise<string> {
  const remote = await nameOf(cwd, "refs/remotes/origin/HEAD");
  return remote.replace(/^origin\//, "") || (await nameOf(cwd, "HEAD"));
}

async function nameOf(cwd: string, ref: string): Promise<string> {
  const { code, stdout } = await git(cwd, "symbolic-ref", "--quiet", "--short", ref);
  return code === 0 ? stdout.trim() : "";
}
