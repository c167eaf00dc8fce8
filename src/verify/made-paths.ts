import { ownGit } from "../adapters/git/scratch.ts";
import { snapshotFolder } from "../adapters/git/snapshot-folder.ts";
import { treeChanges } from "../adapters/git/tree-changes.ts";
import type { VerificationContext } from "./verification-context.ts";

/** Paths that the checks themselves create. A folder means everything in it. */
export function isMadeByChecks(made: readonly string[]): (path: string) => boolean {
  const files = new Set(made.filter((path) => !path.endsWith("/")));
  const folders = made.filter((path) => path.endsWith("/"));
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder));
}

/** The files, or whole new folders, that differ between two trees. */
export async function pathsMade(context: VerificationContext, from: string, to: string): Promise<string[] | null> {
  const { workspace, loop, stops } = context;
  const folder = snapshotFolder(workspace.folder, loop);
  const run = ownGit(folder, folder);
  if (from === to) return [];
  const changes = await treeChanges((args, more) => run(args, { quit: stops.soft, ...more }), from, to);
  if (!changes) return null;
  const made = new Set<string>();
  for (const { path, before } of changes) {
    const folders = path.split("/").slice(0, -1);
    const above = folders.map((_, i) => `${folders.slice(0, i + 1).join("/")}/`);
    const known = above.find((one) => made.has(one));
    if (known !== undefined) continue;
    const fresh = before === null ? await firstNew(above, (one) => has(run, from, one)) : undefined;
    made.add(fresh ?? path);
    if (made.size >= MOST_MADE) break;
  }
  return [...made];
}

const MOST_MADE = 200;

async function firstNew(folders: readonly string[], has: (path: string) => Promise<boolean>) {
  for (const folder of folders) if (!(await has(folder))) return folder;
  return undefined;
}

const has = async (run: ReturnType<typeof ownGit>, tree: string, path: string): Promise<boolean> =>
  (await run(["ls-tree", tree, "--", path])).stdout !== "";
