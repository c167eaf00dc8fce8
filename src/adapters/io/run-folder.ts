import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { RUN_PATTERNS } from "../../core/run-files.ts";
import { fileError, makeFolder, requireFolder } from "./folder.ts";
import { replaceFile } from "./replace-file.ts";

/** What the .gitignore in `.ralph/` keeps out of commits. */
export const RUN_FILES = `${RUN_PATTERNS.join("\n")}\n`;

/** The folder for run files in the user's repository, with a .gitignore that keeps them out of commits. */
export function runFolder(cwd: string): string {
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

/**
 * Makes the folder before a loop begins, where it will be needed: one that cannot be written is found before an
 * iteration is paid for, and personal settings are kept out of the first commit, the agent's own too.
 */
export function prepareRunFolder({ cwd, guardrails, part }: Pick<LoopSpec, "cwd" | "guardrails" | "part">): void {
  if (part) return;
  if (guardrails.length > 0 || existsSync(join(cwd, ".ralph/settings.local.json"))) runFolder(cwd);
}

/** This folder's place is fixed: the advice to move the state folder would be no help. */
function inRalphFolder({ code, message, hint, exitCode, cause }: RalphError): RalphError {
  const isMovable = hint?.includes("RALPH_STATE_DIR");
  return new RalphError(code, message, { hint: isMovable ? HINT : (hint ?? HINT), exitCode, cause });
}

const HINT = "guardrails leave their logs in .ralph/ of this folder: it has to be a folder that can be written";

/** Adds what is missing after whatever the user wrote. What is no plain file is left alone: git does not read it either. */
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

/** The patterns that a .gitignore does not speak of; `!pattern` is the user's word too, and `*` covers everything. */
function missingPatterns(ignore: string): string[] {
  const said = new Set(ignore.split("\n").map((line) => line.trim().replace(/^!?\/?/, "")));
  return said.has("*") ? [] : RUN_PATTERNS.filter((pattern) => !said.has(pattern));
}
