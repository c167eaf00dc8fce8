import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { nulSplitter } from "../io/lines.ts";
import { runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";
import { type StatusEntry, statusOf } from "./status.ts";

/** A repository just before a commit: what is uncommitted in all of it, and its index. */
export interface BeforeCommit {
  head: string;
  uncommitted: ReadonlySet<string>;
  index: Buffer | null;
}

export async function beforeCommit(root: string, gitDir: string): Promise<BeforeCommit> {
  const entries = (await statusOf(root, ["."])) ?? [];
  const head = await git(root, "rev-parse", "--quiet", "--verify", "HEAD");
  return {
    head: head.code === 0 ? head.stdout.trim() : "",
    uncommitted: new Set(entries.map(({ bytes }) => bytes)),
    index: indexOf(gitDir),
  };
}

function indexOf(gitDir: string): Buffer | null {
  try {
    return readFileSync(join(gitDir, "index"));
  } catch {
    return null;
  }
}

/**
 * The files that a hook added to the last commit although they were left out of it. Files that were as committed before,
 * which a hook generates or formats, are its own.
 */
export async function addedByHook(
  root: string,
  { uncommitted }: BeforeCommit,
  staged: readonly StatusEntry[],
): Promise<string[]> {
  // With a file that replaced a folder, or the other way round, the commit has both.
  const chosen = new Set(staged.flatMap(({ bytes }) => pathsTo(bytes)));
  const added: string[] = [];
  const { add: take } = nulSplitter((path) => {
    if (uncommitted.has(path) && !chosen.has(path)) added.push(Buffer.from(path, "latin1").toString("utf8"));
  }, "latin1");
  const args = ["diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", "--no-renames", "HEAD"];
  await runProgram({ file: "git", args, cwd: root, env: NO_PROMPTS, take });
  return added;
}

/** `a/b/c` with the folders that it is in. */
const pathsTo = (path: string): string[] => path.split("/").map((_, i, parts) => parts.slice(0, i + 1).join("/"));

/** Takes the last commit back, if it still is the last one, with the index as it was. The files stay as they are. */
export async function takeBack(root: string, gitDir: string, { head, index }: BeforeCommit, commit: string) {
  const update = head === "" ? ["-d", "HEAD", commit] : ["HEAD", head, commit];
  const { code } = await git(root, "update-ref", ...update);
  if (code !== 0) return false;
  const path = join(gitDir, "index");
  if (index) replaceIndex(path, index);
  else rmSync(path, { force: true });
  return true;
}

/** Under git's own lock. If another git process holds it, the index keeps what the hook added; nothing is lost. */
function replaceIndex(path: string, content: Buffer): void {
  try {
    const lock = openSync(`${path}.lock`, "wx");
    writeSync(lock, content);
    closeSync(lock);
    renameSync(`${path}.lock`, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
