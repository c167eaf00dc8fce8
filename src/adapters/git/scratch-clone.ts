import { cut } from "../../core/excerpt.ts";
import { runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

/** Clones the committed state with shared objects, no remote, no hooks. Returns the reason for a failure, or null. */
export async function cloneHead(root: string, path: string): Promise<string | null> {
  const args = ["clone", "--quiet", "--shared", "--", root, path];
  const { code, stderr } = await runProgram({
    file: "git",
    args,
    cwd: root,
    env: { ...NO_PROMPTS, GIT_LFS_SKIP_SMUDGE: "1" },
  });
  if (code !== 0) return cut(stderr.trim() || "git could not be run", 500);
  await git(path, "remote", "remove", "origin");
  // Commits in the clone have the same author as in the repository.
  for (const key of ["user.name", "user.email"]) {
    const { stdout } = await git(root, "config", "--get", key);
    if (stdout.trim()) await git(path, "config", key, stdout.trim());
  }
  return null;
}
