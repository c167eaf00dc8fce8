import { git } from "./repository.ts";

/** The branch that work is meant for: the remote's main one, else the one that is checked out; empty where there is none. */
export async function baseBranch(cwd: string): Promise<string> {
  const remote = await nameOf(cwd, "refs/remotes/origin/HEAD");
  return remote.replace(/^origin\//, "") || (await nameOf(cwd, "HEAD"));
}

async function nameOf(cwd: string, ref: string): Promise<string> {
  const { code, stdout } = await git(cwd, "symbolic-ref", "--quiet", "--short", ref);
  return code === 0 ? stdout.trim() : "";
}
