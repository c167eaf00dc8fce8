import type { FileChange } from "../../core/judge/changes.ts";
import { lineSplitter } from "../io/lines.ts";

export type AddedLine = (text: string, path: string, line: number) => void;

interface PatchRequest {
  fileChars: number;
  /** The maximum number of files whose patches are kept. For the rest only the names and line counts are kept. */
  keptFiles: number;
  added?: AddedLine;
}

/** Longer than any line in the patch: larger files are left out of it entirely. */
const LINE_BYTES = 16 << 20;
const FILE = "diff --git ";
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)/;

/** Parses a patch in bounded memory. Content lines start with a marker, so none is mistaken for a file header. */
export function patchReader({ fileChars, keptFiles, added }: PatchRequest) {
  const files: FileChange[] = [];
  let file: FileChange | null = null;
  let line = 0;
  let inHunk = false;

  const keep = (text: string) => {
    if (file?.patch == null) return;
    const free = fileChars - file.patch.length;
    if (free > 0) file.patch += `${text.slice(0, free)}\n`;
    else file.note ||= "cut";
  };
  const content = (text: string) => {
    if (!file) return;
    if (text.includes("\0")) file.note = "binary";
    if (text.startsWith("+")) {
      file.added++;
      added?.(text.slice(1), file.path, line);
    }
    if (text.startsWith("-")) file.removed++;
    else if (!text.startsWith("\\")) line++;
    keep(text);
  };
  const head = (text: string) => {
    if (!file) return;
    const note = /^(new|deleted) file mode|^(old|new) mode/.exec(text);
    if (note || text.startsWith("Binary files ")) keep(text);
    if (text.startsWith("Binary files ")) file.note = "binary";
    // A nested repository: its files are not in the patch.
    if (text === "new file mode 160000") file.unread = true;
  };
  const take = (text: string) => {
    const hunk = HUNK.exec(text);
    if (text.startsWith(FILE)) {
      file = { path: pathIn(text), added: 0, removed: 0, patch: files.length < keptFiles ? "" : null, note: "" };
      files.push(file);
      inHunk = false;
    } else if (hunk) {
      inHunk = true;
      line = Number(hunk[1]);
      keep(text);
    } else if (inHunk) content(text);
    else head(text);
  };

  const lines = lineSplitter(LINE_BYTES, (bytes) => take(bytes.toString()));
  return {
    add: lines.add,
    finish(): FileChange[] {
      lines.end();
      return files.map((one) => (one.note === "binary" ? { ...one, patch: null } : one));
    },
  };
}

/** The path in a file header of a patch. Without renames both sides of `a/path b/path` are the same. */
export function pathIn(header: string): string {
  const sides = header.slice(FILE.length);
  const side = sides.slice((sides.length + 1) / 2);
  return side.replace(/^"?b\//, "").replace(/"$/, "");
}
