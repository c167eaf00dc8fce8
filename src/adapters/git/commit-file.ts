import { identity } from "./commit-tree.ts";
import { hardenedGit } from "./hardened-git.ts";
import { gitErrorText } from "./task-refs.ts";

interface FileCommit {
  root: string;
  /** A tracked file, relative to `root`. */
  path: string;
  subject: string;
}

/** Commits one file and nothing else. Returns the reason for a failure, or null. */
export async function commitFile({ root, path, subject }: FileCommit): Promise<string | null> {
  const run = await hardenedGit(root, { whose: "ralph", settings: { "commit.gpgSign": "false" } });
  const how = ["--quiet", "--no-verify", "--only", "-m", subject];
  const args = ["--literal-pathspecs", "commit", ...how, "--", path];
  const { code, stderr, stdout } = await run(args, { env: await identity(run) });
  return code === 0 ? null : gitErrorText(stderr || stdout);
}
