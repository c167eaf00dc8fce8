import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nulSplitter } from "../io/lines.ts";
import { runProgram } from "../io/program.ts";
import { kindAt } from "./file-identity.ts";
import { NO_PROMPTS } from "./repository.ts";
import type { HeadEntry } from "./status.ts";

interface HiddenChange {
  bytes: string;
  /** As in the index. */
  head: HeadEntry;
}

const LIST = ["ls-files", "-v", "--stage", "--full-name", "-z"];
/** `tag mode hash stage path` of files that are flagged as assume-unchanged (lower case) or skip-worktree (S, s). */
const FLAGGED = /^[a-zS] (100\d+) (\S+) 0\t([^\n]+)$/;
const MOST_FILES = 10_000;

/** Changed files that `git status` does not report because their index entries are flagged. */
export async function hiddenChanges(root: string, cwd: string, pathspecs: readonly string[]): Promise<HiddenChange[]> {
  const flagged: HiddenChange[] = [];
  const { add: take } = nulSplitter((line) => {
    const [, mode = "", hash = "", bytes] = FLAGGED.exec(line) ?? [];
    if (bytes === undefined || flagged.length >= MOST_FILES || kindAt(root, bytes) !== "other") return;
    flagged.push({ bytes, head: { mode, hash, modeNow: mode } });
  }, "latin1");
  await runProgram({ file: "git", args: [...LIST, "--", ...pathspecs], cwd, env: NO_PROMPTS, take });
  if (flagged.length === 0) return [];
  const hashes = await hashesOf(root, flagged);
  return flagged.filter(({ head }, i) => hashes[i] !== head.hash);
}

/** What git would store of the files, in their order. Fewer if one cannot be read. */
async function hashesOf(root: string, files: readonly HiddenChange[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-paths-"));
  const stdin = join(folder, "paths");
  try {
    writeFileSync(stdin, files.map(({ bytes }) => `${bytes}\n`).join(""), "latin1");
    const args = ["hash-object", "--stdin-paths"];
    return (await runProgram({ file: "git", args, cwd: root, env: NO_PROMPTS, stdin })).stdout.split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
