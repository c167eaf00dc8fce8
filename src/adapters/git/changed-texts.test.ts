import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../io/program.ts";
import { type ChangedText, changedTexts } from "./changed-texts.ts";

function repository() {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-texts-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim();
  git("init", "--quiet");
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };
  const tree = () => {
    git("add", "--all");
    return git("write-tree");
  };
  const read = async (from: string, to: string, matching?: string, paths = [":(top)"]) => {
    const files: ChangedText[] = [];
    const how = { from, to, paths, onFile: (file: ChangedText) => files.push(file) };
    const isRead = await changedTexts(
      (args, more) => runProgram({ file: "git", args, cwd, ...more }),
      matching ? { ...how, matching } : how,
    );
    return { isRead, files };
  };
  return { cwd, git, write, tree, read };
}

test("both sides of new, changed, moved, deleted and replaced files, whatever is in them", async () => {
  const { cwd, git, write, tree, read } = repository();
  const long = Array.from({ length: 500 }, (_, i) => `line ${i}`).join("\n");
  write("a.txt", `one\n\n${long}\n--- a\n+++ b\ndiff --git a/x b/x\n@@ -1 +1 @@`);
  write("gone.txt", "gone\n");
  write("old/moved.txt", "moved\n");
  write("same.txt", "same\n");
  write("linked.txt", "file\n");
  const from = tree();
  write("a.txt", `two\n\n${long}\n--- a\n+++ b\ndiff --git a/x b/x\n@@ -1 +1 @@\n`);
  git("rm", "--quiet", "--force", "gone.txt", "linked.txt");
  git("mv", "old", "new");
  symlinkSync("a.txt", join(cwd, "linked.txt"));
  write("new.txt", "a\0b\n");
  write(".gitattributes", "* binary\n");
  write("é t.txt", "x\n");
  const { isRead, files } = await read(from, tree());
  expect(isRead).toBe(true);
  const rest = `\n\n${long}\n--- a\n+++ b\ndiff --git a/x b/x\n@@ -1 +1 @@`;
  expect(files).toEqual([
    { path: ".gitattributes", before: null, after: "* binary" },
    { path: "a.txt", before: `one${rest}`, after: `two${rest}` },
    { path: "gone.txt", before: "gone", after: null },
    { path: "linked.txt", before: "file", after: null },
    { path: "linked.txt", before: null, after: "a.txt" },
    { path: "new.txt", before: null, after: "a\0b" },
    { path: "new/moved.txt", before: null, after: "moved" },
    { path: "old/moved.txt", before: "moved", after: null },
    { path: "é t.txt", before: null, after: "x" },
  ]);
});

test("only files in which a changed line matches, of the paths asked for", async () => {
  const { write, tree, read } = repository();
  for (const name of ["a", "b", "c"]) write(`${name}/x.ts`, "// noqa\n");
  const from = tree();
  write("a/x.ts", "// noqa\nf();\n");
  write("b/x.ts", "// noqa\n// NOQA  \n");
  write("c/x.ts", "");
  const to = tree();
  const paths = async (matching: string, ...more: string[]) =>
    (await read(from, to, matching, [":(top)", ...more])).files.map(({ path }) => path);
  expect(await paths("// [nN][oO][qQ][aA]")).toEqual(["b/x.ts", "c/x.ts"]);
  expect(await paths("// [nN][oO][qQ][aA]", ":(exclude,top,glob)**/b/**")).toEqual(["c/x.ts"]);
});

test("a tree that git does not have", async () => {
  const { tree, read } = repository();
  expect(await read(tree(), "0".repeat(40))).toEqual({ isRead: false, files: [] });
});
