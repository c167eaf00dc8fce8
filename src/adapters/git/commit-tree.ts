import type { HardenedGit } from "./hardened-git.ts";
import { gitErrorText } from "./task-refs.ts";

interface TreeCommit {
  tree: string;
  parents: readonly string[];
  /** The first one is the subject. None of them may hold words that somebody else wrote on more than one line. */
  paragraphs: readonly string[];
}

type Made = { is: "made"; commit: string } | { is: "failed"; why: string };

/**
 * A commit of a given tree. It is dated like the newest of its parents, so that doing it twice gives the same one. It
 * runs no hook and is not signed: whoever signs may be asked for a password, and nobody is there to give it.
 */
export async function commitTree(run: HardenedGit, { tree, parents, paragraphs }: TreeCommit): Promise<Made> {
  const dates = await run(["show", "--no-patch", "--format=%ct", ...parents]);
  const newest = Math.max(0, ...dates.stdout.trim().split("\n").map(Number).filter(Number.isFinite));
  const args = [...parents.flatMap((parent) => ["-p", parent]), ...paragraphs.flatMap((text) => ["-m", text])];
  const env = { ...(await identity(run)), GIT_AUTHOR_DATE: `@${newest} +0000`, GIT_COMMITTER_DATE: `@${newest} +0000` };
  const { code, stdout, stderr } = await run(["commit-tree", tree, ...args], { env });
  return code === 0 ? { is: "made", commit: stdout.trim() } : { is: "failed", why: gitErrorText(stderr) };
}

/** The person's own; Ralph's where git knows none. */
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
