import { expect, test } from "vitest";
import { worktreeName } from "./worktree-name.ts";

test.each<[string, string]>([
  ["Make the tests pass", "make-the-tests-pass-3f2a91bc"],
  ["  Fix: the *parser* (dates)!", "fix-the-parser-dates-3f2a91bc"],
  ["Ändere das Café", "andere-das-cafe-3f2a91bc"],
  ["修复测试", "3f2a91bc"],
  ["../../etc/passwd.lock", "etc-passwd-lock-3f2a91bc"],
  ["a word that is much longer than a name should ever be", "a-word-that-is-much-longer-than-3f2a91bc"],
])("%j has the name %j", (title, name) => {
  expect(worktreeName(null, { title, id: "3f2a91bc" })).toBe(name);
});

test("a given name stays", () => {
  expect(worktreeName("csv-export_2.0", { title: "x", id: "1" })).toBe("csv-export_2.0");
});

test.each(["", "a b", "a/b", "..", "-a", "a..b", "a.lock", "a.", "x".repeat(65)])("%j is no name", (name) => {
  expect(() => worktreeName(name, { title: "x", id: "1" })).toThrow(/cannot be the name of a worktree/);
});
