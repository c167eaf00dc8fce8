import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { idlePatterns, protectedFiles } from "./globs.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-globs-")));
const NAMES = [
  "a.snap",
  "deep/b.snap",
  "tests/a.ts",
  "tests/.hidden",
  "tests/tmp/x.ts",
  "odd[1].txt",
  "node_modules/m/a.snap",
  ".git/config",
];
for (const name of NAMES) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), name);
}
symlinkSync("tests", join(root, "linked"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each<[string[], string[]]>([
  [["tests"], ["tests/.hidden", "tests/a.ts", "tests/tmp/x.ts"]],
  [["./tests/"], ["tests/.hidden", "tests/a.ts", "tests/tmp/x.ts"]],
  [["tests/**"], ["tests/.hidden", "tests/a.ts", "tests/tmp/x.ts"]],
  [["tests/*.ts"], ["tests/a.ts"]],
  [
    ["tests", "!tests/tmp"],
    ["tests/.hidden", "tests/a.ts"],
  ],
  [["tests/**", "!**/*.ts"], ["tests/.hidden"]],
  [["*.snap"], ["a.snap", "deep/b.snap"]],
  [["**/*.snap", "!deep"], ["a.snap"]],
  [["{deep,tests}/*.{ts,snap}"], ["deep/b.snap", "tests/a.ts"]],
  [["node_modules/**/*.snap"], ["node_modules/m/a.snap"]],
  [["odd[1].txt"], ["odd[1].txt"]],
  [["absent.txt"], []],
  [["linked"], ["linked", "linked/.hidden", "linked/a.ts", "linked/tmp/x.ts"]],
  [[], []],
])("%j names %j", (patterns, files) => expect(protectedFiles(root, patterns)).toEqual(files));

test("a glob that leads outside the folder is refused", () => {
  expect(() => protectedFiles(root, ["../**"])).toThrow(/the glob \.\.\/\*\* leads out of the folder/);
});

test("patterns without a match are found", () => {
  const given = ["tests", "test/**", "absent.txt", "a.snap", "!a.snap"];
  expect(idlePatterns(root, given)).toEqual(["test/**", "absent.txt", "a.snap"]);
});
