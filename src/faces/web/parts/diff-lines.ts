/** One line of a file's diff. Numbers are null where the line does not exist. */
export interface DiffLine {
  is: "hunk" | "same" | "added" | "removed" | "note";
  text: string;
  before: number | null;
  after: number | null;
}

/** The diff of one file. `path` is its new name, `from` its old one if that differs. */
export interface FileDiff {
  path: string;
  from: string | null;
  is: "added" | "deleted" | "renamed" | "copied" | "changed";
  added: number;
  removed: number;
  lines: readonly DiffLine[];
}

interface Draft extends FileDiff {
  lines: DiffLine[];
}

/** Reads what `git diff` prints. Text that is no diff has no files. */
export function filesOfDiff(patch: string): FileDiff[] {
  const files: Draft[] = [];
  let hunk: Hunk | null = null;
  const lines = patch.endsWith("\n") ? patch.slice(0, -1).split("\n") : patch.split("\n");
  for (const line of lines) {
    const file = files.at(-1);
    // Inside a hunk its counts decide: a removed line `-- a` looks like a header.
    if (file && hunk && (hunk.before > 0 || hunk.after > 0 || line.startsWith("\\"))) {
      hunkLine(file, hunk, line);
      continue;
    }
    hunk = null;
    if (line.startsWith("diff --git ")) files.push(newFile(line.slice("diff --git ".length)));
    else if (file) hunk = headerLine(file, line);
  }
  return files;
}

/** Where a hunk is, and how many lines it still has on each side. */
interface Hunk {
  before: number;
  after: number;
  beforeLine: number;
  afterLine: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function headerLine(file: Draft, line: string): Hunk | null {
  const found = HUNK.exec(line);
  if (found) {
    const [, beforeLine, before = "1", afterLine, after = "1"] = found.map((one) => one ?? undefined);
    file.lines.push({ is: "hunk", text: visible(line), before: null, after: null });
    return {
      before: Number(before),
      after: Number(after),
      beforeLine: Number(beforeLine),
      afterLine: Number(afterLine),
    };
  }
  const [, key, value = ""] = HEADER.exec(line) ?? [];
  if (key) HEADERS[key]?.(file, value);
  return null;
}

const HEADER =
  /^(new file mode|deleted file mode|old mode|new mode|rename from|rename to|copy from|copy to|---|\+\+\+|Binary files|GIT binary patch)(?: (.*))?$/s;

const note = (file: Draft, text: string): void => {
  file.lines.push({ is: "note", text, before: null, after: null });
};

/** What each line above the hunks says. Names in them are whole, those after `diff --git` may be ambiguous. */
const HEADERS: Readonly<Record<string, (file: Draft, value: string) => void>> = {
  "new file mode": (file) => {
    file.is = "added";
  },
  "deleted file mode": (file) => {
    file.is = "deleted";
  },
  "old mode": (file, mode) => note(file, `old mode ${visible(mode)}`),
  "new mode": (file, mode) => note(file, `new mode ${visible(mode)}`),
  "rename from": (file, name) => Object.assign(file, { from: nameOf(name), is: "renamed" }),
  "rename to": (file, name) => Object.assign(file, { path: nameOf(name) }),
  "copy from": (file, name) => Object.assign(file, { from: nameOf(name), is: "copied" }),
  "copy to": (file, name) => Object.assign(file, { path: nameOf(name) }),
  "---": (file, name) => {
    if (file.is === "deleted") file.path = sideName(name) ?? file.path;
  },
  "+++": (file, name) => {
    file.path = sideName(name) ?? file.path;
  },
  "Binary files": (file) => note(file, "binary file"),
  "GIT binary patch": (file) => note(file, "binary file"),
};

function hunkLine(file: Draft, hunk: Hunk, line: string): void {
  const text = visible(line.slice(1));
  switch (line[0]) {
    case "+":
      hunk.after--;
      file.added++;
      file.lines.push({ is: "added", text, before: null, after: hunk.afterLine++ });
      break;
    case "-":
      hunk.before--;
      file.removed++;
      file.lines.push({ is: "removed", text, before: hunk.beforeLine++, after: null });
      break;
    case "\\":
      note(file, "no line end at the end of the file");
      break;
    default:
      hunk.before--;
      hunk.after--;
      file.lines.push({ is: "same", text, before: hunk.beforeLine++, after: hunk.afterLine++ });
  }
}

const newFile = (names: string): Draft => ({
  path: visible(bothNames(names)),
  from: null,
  is: "changed",
  added: 0,
  removed: 0,
  lines: [],
});

/** `a/x b/x` or `"a/…" "b/…"`: the name that both sides have. Later lines replace it where they differ. */
function bothNames(names: string): string {
  const quoted = /^"(?:[^"\\]|\\.)*" ("(?:[^"\\]|\\.)*")$/.exec(names)?.[1];
  return sideName(quoted ?? names.slice((names.length + 1) / 2)) ?? names;
}

/** The name of `a/name` or `b/name`; null for `/dev/null`. Git ends a name that has a space with a tab. */
function sideName(text: string): string | null {
  const raw = unquoted(text.replace(/\t$/, ""));
  return raw === "/dev/null" ? null : visible(raw.replace(/^[abciow]\//, ""));
}

const nameOf = (text: string): string => visible(unquoted(text));

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git quotes names with unusual bytes as C does: `"tab\there \303\244"`. */
function unquoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [token, octal, letter] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal) bytes.push(Number.parseInt(octal, 8) & 255);
    else if (letter) bytes.push(...(letter in ESCAPES ? [ESCAPES[letter] ?? 0] : encoder.encode(letter)));
    else bytes.push(...encoder.encode(token));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const HIDDEN =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const PICTURES = 0x2400;

/** Characters that hide or reorder text are written out: in a diff, they may be the point. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
