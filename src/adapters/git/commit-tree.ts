import { type HardenedGit, hardenedGit } from "./hardened-git.ts";
import { gitErrorText } from "./task-refs.ts";

interface TreeCommit {
  tree: string;
  parents: readonly string[];
  /** The first one is the subject. Untrusted text in them must be on a single line. */
  paragraphs: readonly string[];
}

type Made = { is: "made"; commit: string } | { is: "failed"; why: string };

/** Dated like the newest parent, so that a repeat gives the same commit. Not signed: that may prompt. */
export async function commitTree(run: HardenedGit, { tree, parents, paragraphs }: TreeCommit): Promise<Made> {
  const dates = await run(["show", "--no-patch", "--format=%ct", ...parents]);
  const newest = Math.max(0, ...dates.stdout.trim().split("\n").map(Number).filter(Number.isFinite));
  const args = [...parents.flatMap((parent) => ["-p", parent]), ...paragraphs.flatMap((text) => ["-m", text])];
  const env = { ...(await identity(run)), GIT_AUTHOR_DATE: `@${newest} +0000`, GIT_COMMITTER_DATE: `@${newest} +0000` };
  const { code, stdout, stderr } = await run(["commit-tree", tree, ...args], { env });
  return code === 0 ? { is: "made", commit: stdout.trim() } : { is: "failed", why: gitErrorText(stderr) };
}

/** Variables that set Ralph as author and committer where the user has not configured an identity. */
export async function identity(run: HardenedGit): Promise<Record<string, string>> {
  const roles = ["AUTHOR", "COMMITTER"];
  const known = await Promise.all(roles.map(async (role) => (await run(["var", `GIT_${role}_IDENT`])).code === 0));
  const unknown = roles.filter((_, i) => !known[i]);
  return Object.fromEntries(
    unknown.flatMap((role) => [
      [`GIT_${role}_NAME`, "Ralph"],
      [`GIT_${role}_EMAIL`, "ralph@localhost"],
    ]),
  );
}

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
