import { type ProgramRun, runProgram } from "../io/program.ts";

/** Git runs unattended: a command that needs a password fails instead of prompting. */
export const NO_PROMPTS = { GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "true", SSH_ASKPASS_REQUIRE: "never" };

export const git = (cwd: string, ...args: string[]): Promise<ProgramRun> =>
  runProgram({ file: "git", args, cwd, env: NO_PROMPTS });

/** The commit that is checked out; empty before the first commit. */
export async function headOf(cwd: string): Promise<string> {
  const { code, stdout } = await git(cwd, "rev-parse", "--verify", "--quiet", "HEAD");
  return code === 0 ? stdout.trim() : "";
}

export const isRepository = async (cwd: string): Promise<boolean> =>
  (await git(cwd, "rev-parse", "--is-inside-work-tree")).stdout.trim() === "true";

/** The branch that work targets: the remote's default branch, or the checked-out branch. Empty if there is neither. */
export async function baseBranch(cwd: string): Promise<string> {
  const remote = await nameOf(cwd, "refs/remotes/origin/HEAD");
  return remote.replace(/^origin\//, "") || (await nameOf(cwd, "HEAD"));
}

async function nameOf(cwd: string, ref: string): Promise<string> {
  const { code, stdout } = await git(cwd, "symbolic-ref", "--quiet", "--short", ref);
  return code === 0 ? stdout.trim() : "";
}
