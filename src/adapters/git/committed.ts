import { git } from "./repository.ts";

/** Everything of the repository but what Ralph itself keeps in it. */
const PATHS = [":/", ":(top,exclude,glob)**/.ralph/**"];

/** Files that differ from the last commit, or are not in it: seen from the checkout's root. */
export async function uncommittedFiles(cwd: string): Promise<string[]> {
  const how = ["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal"];
  const { stdout } = await git(cwd, ...how, "--", ...PATHS);
  return stdout.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}

/** A file of a commit: where it is, and the hash of what is in it. */
interface CommittedFile {
  path: string;
  blob: string;
}

/** The files of that name in a fresh checkout, wherever they are in it. */
export async function committedFiles(root: string, names: readonly string[]): Promise<CommittedFile[]> {
  const paths = names.map((name) => `:(top,glob)**/${name}`);
  const { stdout } = await git(root, "ls-files", "--stage", "-z", "--", ...paths);
  return stdout.split("\0").flatMap((entry) => {
    const [, mode, blob, path] = /^(\d+) (\w+) \d+\t([\s\S]*)$/.exec(entry) ?? [];
    return mode === undefined || blob === undefined || path === undefined ? [] : [{ path, blob: `${mode} ${blob}` }];
  });
}

/** The hash of everything in a commit. */
export const treeOf = async (cwd: string, commit: string): Promise<string> =>
  (await git(cwd, "rev-parse", `${commit}^{tree}`)).stdout.trim();

/** Whether a file or folder is not the same in two commits. */
export const differs = async (cwd: string, [one, other]: readonly [string, string], path: string): Promise<boolean> =>
  (await git(cwd, "--literal-pathspecs", "diff", "--quiet", "--no-ext-diff", one, other, "--", path)).code === 1;
