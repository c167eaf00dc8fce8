import { cut } from "../../core/excerpt.ts";
import { nulSplitter } from "../io/lines.ts";
import type { ProgramRun } from "../io/program.ts";

export interface ChangedFile {
  path: string;
  from?: string;
  change: "added" | "changed" | "deleted" | "renamed";
  /** Whether it was renamed without changes. */
  same: boolean;
  /** Number of lines; null for a binary file. */
  added: number | null;
  removed: number | null;
}

type Run = (args: readonly string[], more?: { take?(chunk: Buffer): void }) => Promise<ProgramRun>;

type Compared = { is: "compared"; files: ChangedFile[] } | { is: "failed"; why: string };

const MOST_RENAMES = 2_000;

/** The files that differ between two trees or commits. */
export async function compareTrees(run: Run, from: string, to: string): Promise<Compared> {
  const words: string[] = [];
  const { add: take } = nulSplitter((word) => words.push(word));
  const options = ["-r", "-z", "--raw", "--numstat", "--no-ext-diff", "--no-textconv", "-M", `-l${MOST_RENAMES}`];
  const { code, stderr } = await run(["diff-tree", ...options, "--end-of-options", from, to], { take });
  if (code !== 0) return { is: "failed", why: cut(stderr.trim() || "git could not be run", 300) };
  return { is: "compared", files: read(words) };
}

const RAW = /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])(\d*)$/;
const LINES = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/;
const CHANGES: Readonly<Record<string, ChangedFile["change"]>> = { A: "added", D: "deleted", R: "renamed" };

/** Git prints a raw record for every file, then one with its line counts. Both names follow for a renamed file. */
function read(words: readonly string[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  const left = [...words].reverse();
  const next = () => left.pop() ?? "";
  while (left.length > 0) {
    const word = next();
    const raw = RAW.exec(word);
    if (raw) {
      const file = changedFile(raw, next);
      files.set(file.path, file);
    } else countLines(files, word, next);
  }
  return [...files.values()];
}

function changedFile([, letter = "", score]: RegExpExecArray, next: () => string): ChangedFile {
  const change = CHANGES[letter] ?? "changed";
  const named = change === "renamed" ? { from: next() } : {};
  return { path: next(), ...named, change, same: score === "100", added: null, removed: null };
}

function countLines(files: ReadonlyMap<string, ChangedFile>, word: string, next: () => string): void {
  const [, added, removed, name] = LINES.exec(word) ?? [];
  if (added === undefined || removed === undefined) return;
  if (name === "") next();
  const file = files.get(name || next());
  if (!file) return;
  file.added = lines(added);
  file.removed = lines(removed);
}

const lines = (count: string): number | null => (count === "-" ? null : Number(count));
