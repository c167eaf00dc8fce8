import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { rulesAtRoot } from "./ignore-rules.ts";

/** What git lists as not ignored, by the ignore files where they are and by one file with the same rules. */
function listings(ignore: Readonly<Record<string, string>>, files: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-ignore-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  git("init", "--quiet");
  for (const path of files) write(path, "x");
  const found = Object.entries(ignore).map(([folder, text]) => {
    write(join(folder, ".gitignore"), text);
    return { folder, text };
  });
  const standard = git("ls-files", "--others", "--exclude-standard");
  const rules = join(cwd, ".git/rules");
  writeFileSync(rules, rulesAtRoot([], found));
  return { standard, own: git("ls-files", "--others", `--exclude-from=${rules}`) };
}

test.each<[string, Record<string, string>]>([
  ["rules of the root", { "": "*.log\n/out\n" }],
  ["a name in a folder", { a: "out\n" }],
  ["an anchored name in a folder", { a: "/out\n" }],
  ["a path in a folder", { a: "b/out\n" }],
  ["a folder in a folder", { a: "b/\n" }],
  ["a negated rule of a deeper folder wins", { "": "*.log\n", "a/b": "!x.log\n" }],
  ["comments, blank lines and escapes", { a: "# no\n\n\\#x\nx\\ y\n" }],
  ["a byte order mark and lines that end with a carriage return", { a: "\uFEFFout\r\nx.log\r\n" }],
  ["a folder whose name looks like a pattern", { "[a]": "out\n" }],
])("%s: one file at the root ignores the same", (_name, ignore) => {
  const files = ["out", "x.log", "a/out", "a/#x", "a/x y", "a/b/out", "a/b/x.log", "a/c/out", "[a]/out", "ab/out"];
  const { standard, own } = listings(ignore, files);
  expect(own).toBe(standard);
});

test("the same for random rules", () => {
  const folder = fc.constantFrom("", "a", "a/b", "c");
  const rule = fc.constantFrom("x", "/x", "b/x", "*.log", "!y.log", "b/", "**/x", "!x", "/b/*", "*", "!a/");
  const rules = fc.dictionary(
    folder,
    fc.array(rule, { maxLength: 3 }).map((lines) => lines.join("\n")),
  );
  const files = ["x", "y.log", "a/x", "a/y.log", "a/b/x", "a/b/y.log", "a/b/z", "c/x", "c/b/x"];
  fc.assert(
    fc.property(rules, (ignore) => {
      const { standard, own } = listings(ignore, files);
      expect(own).toBe(standard);
    }),
    { numRuns: 25 },
  );
});
