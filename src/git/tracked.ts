import { git } from "./repository.ts";

/** Whether git keeps a file of a checkout. The path is taken as it is: a `*` in it is no pattern. */
export async function isTracked(root: string, path: string): Promise<boolean> {
  const { code, stdout } = await git(root, "--literal-pathspecs", "ls-files", "--error-unmatch", "-z", "--", path);
  return code === 0 && stdout !== "";
}
