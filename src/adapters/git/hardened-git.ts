import { type ProgramRequest, type ProgramRun, runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

/**
 * A checkout should give what was committed and run nothing. What the repository's own configuration could do about
 * that is turned off: hooks, a file system monitor, sparse checkouts, submodules, replaced objects, filters.
 */
export const PLAIN: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.sparseCheckout": "false",
  "submodule.recurse": "false",
  "advice.detachedHead": "false",
};

/** In every checkout: what could make git run something, see another history than there is, say it in other words, or start a clean-up. */
const STRICT: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "submodule.recurse": "false",
  "core.commitGraph": "false",
  "core.quotePath": "false",
  "worktree.useRelativePaths": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "i18n.commitEncoding": "UTF-8",
  "i18n.logOutputEncoding": "UTF-8",
};

/** Neither objects that stand in for others nor parents that somebody made up. */
const TRUE_HISTORY = { GIT_NO_REPLACE_OBJECTS: "1", GIT_GRAFT_FILE: "/dev/null/none" };

/** Git in one folder, with settings of ours over those of the repository. */
export type HardenedGit = (
  args: readonly string[],
  more?: Pick<ProgramRequest, "take"> & { env?: Readonly<Record<string, string>> },
) => Promise<ProgramRun>;

interface PlainHow {
  /** In a person's checkout their filters run and their sparse checkout stays, as in every git command of theirs. */
  whose: "ralph" | "person";
  settings?: Readonly<Record<string, string>>;
}

/** Git for steps that a machine takes by itself: no hook, no question, no editor, and no clean-up behind its back. */
export async function hardenedGit(cwd: string, { whose, settings = {} }: PlainHow): Promise<HardenedGit> {
  const ours = whose === "person" ? {} : { ...PLAIN, ...(await filtersOff(cwd, KNOWN_FILTER)) };
  const env = { ...NO_PROMPTS, ...TRUE_HISTORY, ...configVariables({ ...STRICT, ...ours, ...settings }) };
  return (args, more = {}) => runProgram({ file: "git", args, cwd, ...more, env: { ...env, ...more.env } });
}

/** Filters that people set up for one repository, and that files are of no use without. Only by these very words. */
const KNOWN_FILTER = /^"?git-(?:lfs|crypt)"? (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/;

/** The repository's own filters, such as an agent can set up; those of the person's own configuration stay. */
export async function filtersOff(cwd: string, known?: RegExp): Promise<Record<string, string>> {
  const { stdout } = await git(cwd, "config", "--show-scope", "-z", "--get-regexp", "^filter\\.");
  const words = stdout.split("\0");
  const off: Record<string, string> = {};
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [, name, key = "", value = ""] = /^filter\.(.+)\.([^.\n]+)(?:\n([\s\S]*))?$/.exec(words[i + 1] ?? "") ?? [];
    if (name === undefined || words[i] === "global" || words[i] === "system") continue;
    if (known && (key === "required" || known.test(value))) continue;
    for (const command of ["smudge", "clean", "process"]) off[`filter.${name}.${command}`] = "";
    off[`filter.${name}.required`] = "false";
  }
  return off;
}

/** Settings for one git process. Unlike those on a command line, their names may hold anything. */
export function configVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(entries.length)],
    ...entries.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ]);
}
