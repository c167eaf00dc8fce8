import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the checkout that a folder is in; null outside of any. Found without git, which would cost more than an iteration. */
export function checkoutRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}
