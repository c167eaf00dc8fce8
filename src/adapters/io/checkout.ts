import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isFolderAt, textAt } from "./look.ts";

/** The root of the checkout that a folder is in; null outside a checkout. Found without starting git, for speed. */
export function checkoutRoot(folder: string): string | null {
  let root = folder;
  for (const above of foldersAbove(folder)) root = above;
  return existsSync(join(root, ".git")) ? root : null;
}

/** The folders above one, the nearest first, up to the root of its checkout. */
export function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; !existsSync(join(at, ".git")) && dirname(at) !== at; ) {
    at = dirname(at);
    yield at;
  }
}

/** The common git directory of a checkout, shared by all its worktrees; null if `.git` is not valid. */
export function sharedFolder(root: string): string | null {
  const dotGit = join(root, ".git");
  if (isFolderAt(dotGit)) return dotGit;
  const gitDir = /^gitdir: (.+)$/m.exec(textAt(dotGit))?.[1];
  if (gitDir === undefined) return null;
  const own = resolve(root, gitDir);
  const common = textAt(join(own, "commondir")).trim();
  return common === "" ? own : resolve(own, common);
}
