import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder of the checkout that a folder is in; null outside of any. Found without git, which would cost more than an iteration. */
export function checkoutRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}

/** Git's own folder of a checkout, shared by all checkouts of the repository; null where what is there makes no sense. */
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
