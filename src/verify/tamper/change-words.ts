import { counted, firstNamed, shorten } from "../../core/excerpt.ts";
import type { FileState } from "./file-state.ts";

const SHOWN_CHARS = 80;
const SHOWN_LINES = 2;

/** How a file changed. Its contents, if known, show how much. */
export function fileChange(
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

/** How many lines changed. */
export function contentChange(before: Buffer, after: Buffer): string {
  if (before.includes(0) || after.includes(0)) return `changed: ${before.length} → ${after.length} bytes`;
  const [old, now] = [linesOf(before), linesOf(after)];
  const [added, removed] = [missingFrom(old, now).length, missingFrom(now, old).length];
  if (added + removed > 0) return `changed: ${counted(added, "line")} added, ${removed} removed`;
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
export function valueChange(before: string | null, after: string | null): string {
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

/** Which settings became weaker, or have an unknown effect. */
export const weakerWords = (weaker: readonly string[]): string =>
  `changed: ${firstNamed(
    weaker.map((text) => shorten(text, SHOWN_CHARS)),
    SHOWN_LINES,
  )}`;
