import { join, resolve } from "node:path";
import { firstNamed, shorten } from "../../core/excerpt.ts";
import type { Tamper } from "../../core/loop/events.ts";
import { testChanges, testsLeft } from "../test-files/compare.ts";
import { entryAt, type FileState, openLook, sameState } from "./file-state.ts";
import { contentOf, copyOf, type KeptRecord, type ProtectedRecord } from "./record.ts";
import { readValue, type Value } from "./values.ts";

/** The current git values, for a record that includes git. */
export interface GitNow {
  values: Readonly<Record<string, Value>>;
  overlooked: readonly string[];
}

const SHOWN = 5;

/** What differs from the record, and how. */
export async function tamperSince({ record, kept }: KeptRecord, root: string, git: GitNow | null): Promise<Tamper[]> {
  return [
    ...(await fileChanges({ record, kept }, root)),
    ...valueChanges(record, root, git),
    ...overlookedChanges(record, git),
    ...watchedChanges(record, root),
    ...(record.fewestTests ? testsLeft(root, record.fewestTests) : []),
  ];
}

/** Changes of tests by two agents, one after the other, count as if one had made them all. */
function watchedChanges({ tests, earlierTests }: ProtectedRecord, root: string): Tamper[] {
  const since = tests ? testChanges(root, tests) : [];
  const known = new Set(since.map(({ path }) => path));
  const before = earlierTests ? testChanges(root, earlierTests) : [];
  return [...since, ...before.filter(({ path }) => !known.has(path))];
}

async function fileChanges({ record, kept }: KeptRecord, root: string): Promise<Tamper[]> {
  const look = openLook(root);
  const changed: Tamper[] = [];
  for (const [path, before] of Object.entries(record.files)) {
    const after = look.state(path);
    if (sameState(before, after)) continue;
    const contents = { before: await copyOf(kept, before.sha), after: contentOf(resolve(root, path)) };
    changed.push({ path, change: fileChange(before, after, contents) });
  }
  return changed;
}

function valueChanges({ values }: ProtectedRecord, root: string, git: GitNow | null): Tamper[] {
  return Object.entries(values).flatMap(([path, before]) => {
    const after = git && Object.hasOwn(git.values, path) ? (git.values[path] ?? null) : readValue(root, path);
    if (before?.sha === after?.sha) return [];
    return [{ path, change: valueChange(before?.text ?? null, after?.text ?? null) }];
  });
}

/** Only added flags count: a removed one hides nothing. */
function overlookedChanges(record: ProtectedRecord, git: GitNow | null): Tamper[] {
  const known = new Set(record.git?.overlooked);
  const added = (git?.overlooked ?? []).filter((path) => !known.has(path));
  if (!record.git || added.length === 0) return [];
  return [
    {
      path: ".git/index",
      change: `git was configured to ignore changes of ${firstNamed(added, SHOWN)}`,
    },
  ];
}

/** Identity and time of the last write of each frozen file: two looks show whether a file was replaced in between. */
export function stampsOf({ files }: ProtectedRecord, root: string): Map<string, string> {
  return new Map(Object.keys(files).map((path) => [path, stampOf(join(root, path))]));
}

function stampOf(path: string): string {
  const stats = entryAt(path);
  return stats ? `${stats.ino} ${stats.mtimeMs}` : "";
}

const SHOWN_CHARS = 80;
const SHOWN_LINES = 2;

/** How a file changed. Its contents, if known, show how much. */
function fileChange(
  before: FileState,
  after: FileState,
  contents: { before: Buffer | null; after: Buffer | null },
): string {
  if (before.is !== after.is) return becameWords(before, after);
  if (before.target !== after.target) return `now a symlink to ${after.target}`;
  if (before.place !== after.place) return `now at another path: ${after.place ?? "no longer behind a symlink"}`;
  if (before.sha !== after.sha)
    return contents.before && contents.after ? contentChange(contents.before, contents.after) : "changed";
  if (before.executable !== after.executable) return after.executable ? "made executable" : "no longer executable";
  const more = (after.variants ?? []).filter((name) => !before.variants?.includes(name));
  return more.length > 0 ? `a file whose name differs only in case was added: ${more.join(", ")}` : "changed";
}

function becameWords(before: FileState, after: FileState): string {
  if (after.is === "absent") return "deleted";
  if (before.is === "absent") return "added";
  if (after.is === "link") return `became a symlink to ${after.target}`;
  if (after.is === "unreadable") return "can no longer be read";
  return after.is === "special" ? "became a pipe or a device" : `became a ${after.is}`;
}

function contentChange(before: Buffer, after: Buffer): string {
  if (before.includes(0) || after.includes(0)) return `changed: ${before.length} → ${after.length} bytes`;
  const [old, now] = [linesOf(before), linesOf(after)];
  const [added, removed] = [missingFrom(old, now).length, missingFrom(now, old).length];
  if (added + removed > 0) return `changed: ${added} ${added === 1 ? "line" : "lines"} added, ${removed} removed`;
  return old.every((line, i) => line === now[i])
    ? "changed: its last line break"
    : "changed: its lines are in another order";
}

const linesOf = (content: Buffer): string[] => content.toString("utf8").replace(/\n$/, "").split("\n");

/** Lines that occur in `lines` more often than in `others`. */
function missingFrom(others: readonly string[], lines: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const times = left.get(line) ?? 0;
    left.set(line, times - 1);
    return times <= 0;
  });
}

/** How a single value changed; null if it did not exist. */
function valueChange(before: string | null, after: string | null): string {
  if (before === null) return `added: ${shorten(after ?? "", SHOWN_CHARS)}`;
  if (after === null) return "deleted";
  if (!before.includes("\n") && !after.includes("\n")) {
    return `changed: ${shorten(before, SHOWN_CHARS)} → ${shorten(after, SHOWN_CHARS)}`;
  }
  const [old, now] = [before.split("\n"), after.split("\n")];
  const parts = [...lineWords("added", missingFrom(old, now)), ...lineWords("removed", missingFrom(now, old))];
  return parts.length > 0 ? `changed: ${parts.join("; ")}` : "changed";
}

function lineWords(word: string, lines: readonly string[]): string[] {
  const named = lines.filter((line) => line.trim() !== "");
  if (named.length === 0) return [];
  const shown = named.map((line) => shorten(line, SHOWN_CHARS));
  return [`${firstNamed(shown, SHOWN_LINES)} ${word}`];
}
