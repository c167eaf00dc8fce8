import { join } from "node:path";
import { isRalphFile } from "../../core/ralph-files.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { nulSplitter } from "../io/lines.ts";
import { entryAt } from "../io/look.ts";
import { hardenedGit } from "./hardened-git.ts";

/** Uncommitted files of a checkout: path → hash of the content as git would store it. */
export type LooseFiles = Readonly<Record<string, string>>;

/** The list is journalled, so it is limited. Files beyond the limit count as the task's work. */
const MOST = 2_000;
const ANSWERS = 100;

/** Changed and untracked files of a checkout that git does not ignore, without Ralph's own. */
export async function looseFiles(cwd: string): Promise<LooseFiles> {
  const root = checkoutRoot(cwd);
  if (root === null) return {};
  const run = await hardenedGit(root, { whose: "ralph" });
  const found: string[] = [];
  const entries = nulSplitter((line) => {
    const path = line.slice(3);
    if (found.length < MOST && !isRalphFile(path) && entryAt(join(root, path))?.isFile()) found.push(path);
  });
  const how = ["--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"];
  await run(["--no-optional-locks", "status", ...how], { take: entries.add });
  const hashes: Record<string, string> = {};
  for (let i = 0; i < found.length; i += ANSWERS) {
    const part = found.slice(i, i + ANSWERS);
    const { code, stdout } = await run(["hash-object", "--", ...part]);
    const lines = stdout.trim().split("\n");
    if (code === 0 && lines.length === part.length)
      for (const [j, path] of part.entries()) hashes[path] = lines[j] ?? "";
  }
  return hashes;
}
