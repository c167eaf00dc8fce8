import { lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { RalphError } from "../../core/errors.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { EXCLUDED_PATTERNS } from "../../core/ralph-files.ts";
import { checkoutRoot, sharedFolder } from "./checkout.ts";
import { fileError, makeFolder, requireFolder } from "./folder.ts";
import { isFolderAt } from "./look.ts";
import { replaceFile } from "./replace-file.ts";

/** The folder of Ralph's own files in the user's repository. */
export function ralphFolder(cwd: string): string {
  requireFolder(cwd);
  const folder = join(cwd, ".ralph");
  try {
    makeFolder(folder);
  } catch (error) {
    throw inRalphFolder(fileError(error, folder));
  }
  return folder;
}

/**
 * Before a loop starts: finds an unwritable folder early, and keeps Ralph's own files out of `git status`. Returns the
 * file that says so to git, if it was changed.
 */
export function prepareRalphFolder({ cwd, guardrails, part }: Pick<LoopSpec, "cwd" | "guardrails" | "part">) {
  if (part) return null;
  if (guardrails.length > 0) ralphFolder(cwd);
  return excludeRalphFiles(cwd);
}

/** This folder's location is fixed, so a hint to move the state folder would not help. */
function inRalphFolder(error: RalphError): RalphError {
  const { hint = HINT } = error;
  return error.with({ hint: hint.includes("RALPH_STATE_DIR") ? HINT : hint });
}

const HINT = "guardrails write their logs to .ralph/ in this folder, so it must be a writable folder";

/** Shows that the lines were added: what the user removes later stays removed. */
const TITLE = "# Ralph's run files, receipts and personal settings";

/**
 * Lists Ralph's own files in `info/exclude` of the repository that a folder is in, once for all its worktrees. Returns
 * the file's path if it was changed. Without this Ralph works too, so a file that cannot be written is left alone.
 */
export function excludeRalphFiles(cwd: string): string | null {
  const root = checkoutRoot(cwd);
  const shared = root === null ? null : sharedFolder(root);
  if (shared === null || !isFolderAt(shared)) return null;
  const path = join(shared, "info", "exclude");
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && !found.isFile()) return null;
    const before = found ? readFileSync(path) : Buffer.alloc(0);
    if (before.includes(TITLE)) return null;
    const newline = before.length > 0 && before.at(-1) !== 0x0a ? "\n" : "";
    const added = Buffer.from(`${newline}${[TITLE, ...EXCLUDED_PATTERNS].join("\n")}\n`);
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, Buffer.concat([before, added]), found && found.mode & 0o777);
    return relative(cwd, path);
  } catch {
    // Read-only, for example in a sandbox.
    return null;
  }
}
