import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type FileDiff, filesOfDiff, visible } from "./diff-lines.ts";

/** `+12 text`, with the number of the side on which the line is. */
const shown = ({ lines }: FileDiff): string[] =>
  lines.map(({ is, text, before, after }) => {
    if (is === "hunk" || is === "note") return `${is} ${text}`;
    return `${{ same: " ", added: "+", removed: "-" }[is]}${after ?? before} ${text}`;
  });

const HEAD = "diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n";

test.each<[string, string, string[]]>([
  [
    "numbers of both sides",
    `${HEAD}@@ -1,3 +1,3 @@ function f()\n a\n-b\n+B\n c\n@@ -10 +10,2 @@\n j\n+k\n`,
    ["hunk @@ -1,3 +1,3 @@ function f()", " 1 a", "-2 b", "+2 B", " 3 c", "hunk @@ -10 +10,2 @@", " 10 j", "+11 k"],
  ],
  [
    "lines that look like headers",
    `${HEAD}@@ -1,2 +1,2 @@\n--- a/old\n+++ b/new\n diff --git a/x b/x\n`,
    ["hunk @@ -1,2 +1,2 @@", "-1 -- a/old", "+1 ++ b/new", " 2 diff --git a/x b/x"],
  ],
  [
    "no line end",
    `${HEAD}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n`,
    [
      "hunk @@ -1 +1 @@",
      "-1 a",
      "note no line end at the end of the file",
      "+1 b",
      "note no line end at the end of the file",
    ],
  ],
  [
    "an empty line that lost its space",
    `${HEAD}@@ -1,2 +1,2 @@\n\n-a\n+b\n`,
    ["hunk @@ -1,2 +1,2 @@", " 1 ", "-2 a", "+2 b"],
  ],
  ["a patch that was cut", `${HEAD}@@ -1,20 +1,20 @@\n a`, ["hunk @@ -1,20 +1,20 @@", " 1 a"]],
  [
    "characters that hide",
    `${HEAD}@@ -0,0 +1 @@\n+a\u202eb\u200b\r\n`,
    ["hunk @@ -0,0 +1 @@", "+1 a<U+202E>b<U+200B>␍"],
  ],
])("%s", (_name, patch, wanted) => {
  const files = filesOfDiff(patch);
  expect(files).toHaveLength(1);
  expect(shown(files[0]!)).toEqual(wanted);
});

test("a change of line ends alone can be seen", () => {
  const [file] = filesOfDiff(`${HEAD}@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n`);
  expect(shown(file!)).toEqual(["hunk @@ -1,2 +1,2 @@", "-1 a␍", "+1 a", " 2 b␍"]);
});

test("text that is no diff has no files", () => {
  expect(filesOfDiff("")).toEqual([]);
  expect(filesOfDiff("fatal: bad object\n@@ -1 +1 @@\n+x\n")).toEqual([]);
});

test("any text is read, and no control character or hidden direction is left in what is shown", () => {
  const line = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", " ", "+", "\\", '"', "é", "\u0000", "\u001b", "\u0085", "\u202e", "\r") }),
    fc.constantFrom(
      "diff --git a/x b/x",
      "--- a/x",
      "+++ /dev/null",
      "@@ -1,9 +1,9 @@",
      "@@ -1 +0,0 @@",
      'rename to "\\',
      "+a",
      "-b",
      " c",
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom("", `${HEAD}@@ -1,50 +1,50 @@\n`), fc.array(line), (head, lines) => {
      const files = filesOfDiff(head + lines.join("\n"));
      const shown = files.flatMap((file) => [file.path, ...file.lines.map(({ text }) => text)]).join("");
      expect(shown.replaceAll("\t", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test("control characters are written out, tabs and letters stay", () => {
  expect(visible("a\tä漢😀\u0000\u001b[31m\u009b\u2066")).toBe("a\tä漢😀␀␛[31m<U+009B><U+2066>");
});

test("what git prints for new, deleted, renamed, binary, mode-changed and strangely named files", () => {
  const folder = mkdtempSync(join(tmpdir(), "ralph-diff-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
  const long = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n");
  git("init", "-q");
  mkdirSync(join(folder, "b"));
  write("gone.txt", "1\n2\n");
  write("old name.txt", long);
  write("image.bin", new Uint8Array([0, 1, 2, 3]));
  write("run.sh", "echo\n");
  write("b/b.txt", "x\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  rmSync(join(folder, "gone.txt"));
  git("mv", "old name.txt", "new name.txt");
  write("new name.txt", `${long}\nmore\n`);
  write("image.bin", new Uint8Array([0, 9, 9]));
  execFileSync("chmod", ["+x", "run.sh"], { cwd: folder });
  write("b/b.txt", "y\n");
  write('quo"te\tand\nline ä.txt', "x\n");
  write("<img src=x onerror=alert(1)>.txt", "x");
  git("add", "-A");
  const files = filesOfDiff(git("diff", "--cached", "-M"));
  const facts = files.map(({ path, from, is, added, removed }) => ({ path, from, is, added, removed }));
  expect(facts).toEqual([
    { path: "<img src=x onerror=alert(1)>.txt", from: null, is: "added", added: 1, removed: 0 },
    { path: "b/b.txt", from: null, is: "changed", added: 1, removed: 1 },
    { path: "gone.txt", from: null, is: "deleted", added: 0, removed: 2 },
    { path: "image.bin", from: null, is: "changed", added: 0, removed: 0 },
    { path: "new name.txt", from: "old name.txt", is: "renamed", added: 2, removed: 1 },
    { path: 'quo"te\tand␊line ä.txt', from: null, is: "added", added: 1, removed: 0 },
    { path: "run.sh", from: null, is: "changed", added: 0, removed: 0 },
  ]);
  const of = (path: string) => shown(files.find((file) => file.path === path)!);
  expect(of("image.bin")).toEqual(["note binary file"]);
  expect(of("run.sh")).toEqual(["note old mode 100644", "note new mode 100755"]);
});
