import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { IGNORED_PATTERNS } from "../../core/ralph-files.ts";
import { fileError, makeFolder, requireFolder } from "./folder.ts";
import { replaceFile } from "./replace-file.ts";

/** The content of the .gitignore in `.ralph/`. */
export const RALPH_IGNORE = `${IGNORED_PATTERNS.join("\n")}\n`;

/** The folder of Ralph's own files in the user's repository, with a .gitignore that keeps them out of commits. */
export function ralphFolder(cwd: string): string {
  requireFolder(cwd);
  const folder = join(cwd, ".ralph");
  const ignore = join(folder, ".gitignore");
  try {
    makeFolder(folder);
    completeIgnore(ignore);
  } catch (error) {
    throw inRalphFolder(fileError(error, ignore));
  }
  return folder;
}

/** Before a loop starts: finds an unwritable folder early, and keeps personal settings out of the first commit. */
export function prepareRalphFolder({ cwd, guardrails, part }: Pick<LoopSpec, "cwd" | "guardrails" | "part">): void {
  if (part) return;
  if (guardrails.length > 0 || existsSync(join(cwd, ".ralph/settings.local.json"))) ralphFolder(cwd);
}

/** This folder's location is fixed, so a hint to move the state folder would not help. */
function inRalphFolder({ code, message, hint, exitCode, cause }: RalphError): RalphError {
  const isMovable = hint?.includes("RALPH_STATE_DIR");
  return new RalphError(code, message, { hint: isMovable ? HINT : (hint ?? HINT), exitCode, cause });
}

const HINT = "guardrails write their logs to .ralph/ in this folder, so it must be a writable folder";

/** Appends missing patterns to the user's file. Ignores anything but a regular file, as git does. */
function completeIgnore(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) return;
  const before = found ? readFileSync(path) : Buffer.alloc(0);
  const missing = missingPatterns(before.toString("utf8"));
  if (missing.length === 0) return;
  const newline = before.length > 0 && before.at(-1) !== 0x0a ? "\n" : "";
  const added = Buffer.from(`${newline}${missing.join("\n")}\n`);
  replaceFile(path, Buffer.concat([before, added]), found && found.mode & 0o777);
}

/** The patterns that a .gitignore does not mention. `!pattern` counts as the user's decision, `*` covers everything. */
function missingPatterns(ignore: string): string[] {
  const said = new Set(ignore.split("\n").map((line) => line.trim().replace(/^!?\/?/, "")));
  return said.has("*") ? [] : IGNORED_PATTERNS.filter((pattern) => !said.has(pattern));
}
