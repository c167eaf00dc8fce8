import { treeChanges } from "../adapters/git/tree-changes.ts";
import { nulSplitter } from "../adapters/io/lines.ts";
import { snapshotGit, type VerificationContext } from "./verification-context.ts";

const MOST_MADE = 200;

/** The files, or whole new folders, that differ between two trees: what the checks themselves create. */
export async function pathsMade(context: VerificationContext, from: string, to: string): Promise<string[] | null> {
  const { run } = snapshotGit(context);
  const known = new Set<string>();
  const folders = nulSplitter((path) => known.add(`${path}/`));
  const changes = await treeChanges(run, from, to);
  const { code } = await run(["ls-tree", "-r", "-d", "-z", "--name-only", from], { take: folders.add });
  if (!changes || code !== 0) return null;
  const made = changes.map(({ path, before }) => {
    const names = path.split("/");
    const above = names.slice(0, -1).map((_, i) => `${names.slice(0, i + 1).join("/")}/`);
    return before === null ? (above.find((folder) => !known.has(folder)) ?? path) : path;
  });
  return [...new Set(made)].slice(0, MOST_MADE);
}
