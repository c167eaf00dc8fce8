import { copyFileSync, existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../io/folder.ts";
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
function seemsTracked(cwd: string): boolean {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}

/**
 * The hash of the working tree as it would be committed, untracked files included; null without a repository.
 * Built in an index of its own, a copy of the real one, which stays untouched.
 */
export async function treeHash(cwd: string, scratchIndex: string): Promise<string | null> {
  if (!seemsTracked(cwd)) return null;
  const index = await git(cwd, "rev-parse", "--git-path", "index");
  if (index.code !== 0) return null;
  const original = resolve(cwd, index.stdout.trim());
  // Only output makes the folder of a loop's logs, and an agent may print nothing.
  makeFolder(dirname(scratchIndex));
  try {
    if (existsSync(original)) copyFileSync(original, scratchIndex);
    const env = { ...NO_PROMPTS, GIT_INDEX_FILE: scratchIndex };
    await runProgram({ file: "git", args: ["add", "--all"], cwd, env });
    const tree = await runProgram({ file: "git", args: ["write-tree"], cwd, env });
    return tree.code === 0 ? tree.stdout.trim() : null;
  } finally {
    rmSync(scratchIndex, { force: true });
  }
}
