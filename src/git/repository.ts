import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ProgramRun, runProgram } from "../io/program.ts";

const NO_PROMPTS = { GIT_TERMINAL_PROMPT: "0" };

export const git = (cwd: string, ...args: string[]): Promise<ProgramRun> =>
  runProgram({ file: "git", args, cwd, env: NO_PROMPTS });

/** The commit a checkout stands on; empty before the first commit. */
export async function headOf(cwd: string): Promise<string> {
  const { code, stdout } = await git(cwd, "rev-parse", "--verify", "--quiet", "HEAD");
  return code === 0 ? stdout.trim() : "";
}

export const isRepository = async (cwd: string): Promise<boolean> =>
  (await git(cwd, "rev-parse", "--is-inside-work-tree")).stdout.trim() === "true";

/** Whether a folder lies in a work tree, as far as a look at the folders above it tells: no process is started. */
export function seemsTracked(cwd: string): boolean {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}
