import { treeChanges } from "../adapters/git/tree-changes.ts";
import { snapshotGit, type VerificationContext } from "./verification-context.ts";

/** Paths that the checks themselves create. A folder means everything in it. */
export function isMadeByChecks(made: readonly string[]): (path: string) => boolean {
  const files = new Set(made.filter((path) => !path.endsWith("/")));
  const folders = made.filter((path) => path.endsWith("/"));
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder));
}

/** The files, or whole new folders, that differ between two trees. */
export async function pathsMade(context: VerificationContext, from: string, to: string): Promise<string[] | null> {
  const { run } = snapshotGit(context);
  const changes = await treeChanges(run, from, to);
  if (!changes) return null;
  const made = new Set<string>();
  const firstNew = async ([place = "", ...deeper]: readonly string[]): Promise<string> => {
    const isNew = deeper.length === 0 || (await run(["ls-tree", from, "--", place])).stdout === "";
    return isNew ? place : firstNew(deeper);
  };
  for (const { path, before } of changes) {
    const folders = path.split("/").slice(0, -1);
    const above = folders.map((_, i) => `${folders.slice(0, i + 1).join("/")}/`);
    const known = above.find((one) => made.has(one));
    if (known !== undefined) continue;
    made.add(before === null ? await firstNew([...above, path]) : path);
    if (made.size >= MOST_MADE) break;
  }
  return [...made];
}

const MOST_MADE = 200;
