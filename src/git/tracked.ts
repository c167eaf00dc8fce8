import { git } from "./repository.ts";

/** Whether git keeps a file of a checkout. The path is taken as it is: a `*` in it is no pattern. */
export async function isTracked(root: string, path: string): Promise<boolean> {
  const { code, stdout } = await git(root, "--literal-pathspecs", "ls-files", "--error-unmatch", "-z", "--", path);
  return code === 0 && stdout !== "";
}

/** Files that git keeps and that are not as they were committed, or are in conflict; what is new and not added is none of them. */
export async function changedFiles(cwd: string): Promise<string[]> {
  const how = ["--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all"];
  const { stdout } = await git(cwd, "--no-optional-locks", "status", ...how);
  return stdout.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}
