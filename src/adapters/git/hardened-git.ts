import { type ProgramRequest, type ProgramRun, runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

/** Makes a checkout exactly what was committed, whatever the repository configures; nothing else runs. */
export const PLAIN: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.sparseCheckout": "false",
  "submodule.recurse": "false",
  "advice.detachedHead": "false",
};

/** Turns off what makes git run programs, read another history, translate or quote output, or start maintenance. */
export const STRICT: Readonly<Record<string, string>> = {
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

/** No object is fetched: a partial clone names the program that connects to its remote. Older git knows the first. */
export const OFFLINE = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

/** Ignores replaced objects and grafted parents. */
const TRUE_HISTORY = { GIT_NO_REPLACE_OBJECTS: "1", GIT_GRAFT_FILE: "/dev/null/none" };

/** Runs git in one folder, with Ralph's settings overriding those of the repository. */
export type HardenedGit = (
  args: readonly string[],
  more?: Pick<ProgramRequest, "take"> & { env?: Readonly<Record<string, string>> },
) => Promise<ProgramRun>;

interface PlainHow {
  /** In the user's own checkout their filters and sparse checkout apply, as in every git command they run. */
  whose: "ralph" | "person";
  settings?: Readonly<Record<string, string>>;
  /** Only to show something: what is not here is not fetched. */
  isLook?: boolean;
}

/** Git for unattended steps: no hooks, prompts, editor or background maintenance. */
export async function hardenedGit(
  cwd: string,
  { whose, settings = {}, isLook = false }: PlainHow,
): Promise<HardenedGit> {
  const ours = whose === "person" ? {} : { ...PLAIN, ...(await filtersOff(cwd, KNOWN_FILTER)) };
  const variables = configVariables({ ...STRICT, ...ours, ...settings });
  const env = { ...NO_PROMPTS, ...TRUE_HISTORY, ...(isLook ? OFFLINE : {}), ...variables };
  return (args, more = {}) => runProgram({ file: "git", args, cwd, ...more, env: { ...env, ...more.env } });
}

/** Filters that a repository may need to have readable files. Only these exact commands are allowed. */
const KNOWN_FILTER = /^"?git-(?:lfs|crypt)"? (?:clean|smudge|filter-process)(?: --skip)?(?: -- %f)?$/;

/** Turns off the repository's own filters, which an agent could set up. Those in the user's global settings stay. */
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

/** Passes settings to one git process by environment variables, because their names may contain any character. */
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
