import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The root of the checkout that a folder is in; null outside a checkout. Found without starting git, for speed. */
export function checkoutRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}

/** The common git directory of a checkout, shared by all its worktrees; null if `.git` is not valid. */
export function sharedFolder(root: string): string | null {
  const dotGit = join(root, ".git");
  if (statSync(dotGit, { throwIfNoEntry: false })?.isDirectory()) return dotGit;
  const gitDir = /^gitdir: (.+)$/m.exec(textOf(dotGit))?.[1];
  if (gitDir === undefined) return null;
  const own = resolve(root, gitDir);
  const common = textOf(join(own, "commondir")).trim();
  return common === "" ? own : resolve(own, common);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
