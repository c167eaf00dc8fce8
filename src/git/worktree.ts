import { cut } from "../core/excerpt.ts";
import { runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

interface WorktreeRequest {
  /** In the repository. */
  cwd: string;
  /** What does not exist yet, outside of every checkout. */
  path: string;
  commit: string;
}

/**
 * A checkout should give what was committed and run nothing. What the repository's own configuration could do about
 * that is turned off: hooks, a file system monitor, sparse checkouts, submodules, replaced objects, filters.
 */
const PLAIN: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.sparseCheckout": "false",
  "submodule.recurse": "false",
  "advice.detachedHead": "false",
};

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

/** The repository's own filters, such as an agent can set up; those of the person's own configuration stay. */
async function filtersOff(cwd: string): Promise<Record<string, string>> {
  const { stdout } = await git(cwd, "config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\.");
  const words = stdout.split("\0");
  const off: Record<string, string> = {};
  for (let i = 0; i + 1 < words.length; i += 2) {
    const name = /^filter\.(.+)\.[^.]+$/.exec(words[i + 1] ?? "")?.[1];
    if (name === undefined || words[i] === "global" || words[i] === "system") continue;
    for (const key of ["smudge", "clean", "process"]) off[`filter.${name}.${key}`] = "";
    off[`filter.${name}.required`] = "false";
  }
  return off;
}

/** Settings for one git process. Unlike those on a command line, their names may hold anything. */
function configVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(entries.length)],
    ...entries.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ]);
}
