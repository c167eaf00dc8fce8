import type { HardenedGit } from "./hardened-git.ts";
import { git } from "./repository.ts";

/** Whether git tracks a file. The path is literal: a `*` in it is not a pattern. */
export async function isTracked(root: string, path: string): Promise<boolean> {
  const { code, stdout } = await git(root, "--literal-pathspecs", "ls-files", "--error-unmatch", "-z", "--", path);
  return code === 0 && stdout !== "";
}

/** Tracked files that have changed or are in conflict. Null if unknown, which is not the same as none. */
export async function changedFiles(run: HardenedGit, submodules: "all" | "dirty" = "all"): Promise<string[] | null> {
  const how = ["--porcelain", "-z", "--no-renames", "--untracked-files=no", `--ignore-submodules=${submodules}`];
  const { code, stdout } = await run(["--no-optional-locks", "status", ...how]);
  return code === 0 ? stdout.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)])) : null;
}

const REPOSITORY_MODE = "160000";

/** Nested repositories committed since then without .gitmodules entry, so no clone has their files. Null if unknown. */
export async function addedRepositories(cwd: string, since: string): Promise<string[] | null> {
  const { code, stdout } = await git(cwd, "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AT", since, "HEAD");
  if (code !== 0) return null;
  const fields = stdout.split("\0");
  const found = fields.flatMap((field, i) => (field.split(" ")[1] === REPOSITORY_MODE ? [fields[i + 1] ?? ""] : []));
  if (found.length === 0) return [];
  const how = ["-z", "--blob", "HEAD:.gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
  const modules = await git(cwd, "config", ...how);
  const known = new Set(modules.stdout.split("\0").map((entry) => entry.split("\n")[1]));
  return found.filter((path) => !known.has(path));
}

/** The whole repository except Ralph's own files. */
const PATHS = [":/", ":(top,exclude,glob)**/.ralph/**"];

/** Files that differ from the last commit or are not in it, relative to the checkout's root. */
export async function uncommittedFiles(cwd: string): Promise<string[]> {
  const how = ["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal"];
  const { stdout } = await git(cwd, ...how, "--", ...PATHS);
  return stdout.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}

/** The files with one of these names anywhere in a checkout, with mode and blob hash. */
export async function committedFiles(root: string, names: readonly string[]) {
  const paths = names.map((name) => `:(top,glob)**/${name}`);
  const { stdout } = await git(root, "ls-files", "--stage", "-z", "--", ...paths);
  return stdout.split("\0").flatMap((entry) => {
    const [, mode, blob, path] = /^(\d+) (\w+) \d+\t([\s\S]*)$/.exec(entry) ?? [];
    return mode === undefined || blob === undefined || path === undefined ? [] : [{ path, blob: `${mode} ${blob}` }];
  });
}

/** Whether nothing, or no file with one of these names, was committed since a commit. False if unknown. */
export async function isUnchangedSince(root: string, since: string, names: readonly string[] | null): Promise<boolean> {
  const paths = names === null ? [] : ["--", ...names.map((name) => `:(top,glob)**/${name}`)];
  return (await git(root, "diff", "--quiet", "--no-ext-diff", since, "HEAD", ...paths)).code === 0;
}

export const treeOf = async (cwd: string, commit: string): Promise<string> =>
  (await git(cwd, "rev-parse", `${commit}^{tree}`)).stdout.trim();

export const differs = async (cwd: string, [one, other]: readonly [string, string], path: string): Promise<boolean> =>
  (await git(cwd, "--literal-pathspecs", "diff", "--quiet", "--no-ext-diff", one, other, "--", path)).code === 1;
