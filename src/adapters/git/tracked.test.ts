import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hardenedGit } from "./hardened-git.ts";
import { addedRepositories, changedFiles } from "./tracked.ts";

test("reports files that differ from the commit, and never an empty list if git cannot say", async () => {
  const root = mkdtempSync(join(tmpdir(), "ralph-tracked-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  writeFileSync(join(root, "a.txt"), "a\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "a");
  const look = async () => changedFiles(await hardenedGit(root, { whose: "ralph" }));
  expect([await look(), await addedRepositories(root, git("rev-parse", "HEAD"))]).toEqual([[], []]);
  writeFileSync(join(root, "a.txt"), "changed\n");
  writeFileSync(join(root, "new.txt"), "");
  expect(await look()).toEqual(["a.txt"]);
  writeFileSync(join(root, ".git/index"), "no index");
  expect([await look(), await addedRepositories(root, "0".repeat(40))]).toEqual([null, null]);
});
