import { git } from "./repository.ts";

/** The whole repository except Ralph's own files. */
const PATHS = [":/", ":(top,exclude,glob)**/.ralph/**"];

/** Files that differ from the last commit or are not in it, relative to the checkout's root. */
export async function uncommittedFiles(cwd: string): Promise<string[]> {
  const how = ["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal"];
  const { stdout } = await git(cwd, ...how, "--", ...PATHS);
  return stdout.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}

interface CommittedFile {
  path: string;
  blob: string;
}

/** The files with one of these names anywhere in a checkout, with mode and blob hash. */
export async function committedFiles(root: string, names: readonly string[]): Promise<CommittedFile[]> {
  const paths = names.map((name) => `:(top,glob)**/${name}`);
  const { stdout } = await git(root, "ls-files", "--stage", "-z", "--", ...paths);
  return stdout.split("\0").flatMap((entry) => {
    const [, mode, blob, path] = /^(\d+) (\w+) \d+\t([\s\S]*)$/.exec(entry) ?? [];
    return mode === undefined || blob === undefined || path === undefined ? [] : [{ path, blob: `${mode} ${blob}` }];
  });
}

export const treeOf = async (cwd: string, commit: string): Promise<string> =>
  (await git(cwd, "rev-parse", `${commit}^{tree}`)).stdout.trim();

export const differs = async (cwd: string, [one, other]: readonly [string, string], path: string): Promise<boolean> =>
  (await git(cwd, "--literal-pathspecs", "diff", "--quiet", "--no-ext-diff", one, other, "--", path)).code === 1;
