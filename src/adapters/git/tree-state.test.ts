import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { headOf } from "./repository.ts";
import { cleanState, treeState } from "./tree-state.ts";

function repository() {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-tree-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5 }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  const write = (name: string, content: string) => {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };
  write("a.txt", "one");
  git("add", "--all");
  git("commit", "--quiet", "-m", "start");
  return { cwd, git, write };
}

type Repository = ReturnType<typeof repository>;

test.each<[string, (repo: Repository) => void]>([
  ["a changed file", ({ write }) => write("a.txt", "two")],
  ["a new file", ({ write }) => write("b.txt", "one")],
  ["a new file in a new folder", ({ write }) => write("new/deep/b.txt", "one")],
  ["a deleted file", ({ cwd }) => rmSync(join(cwd, "a.txt"))],
  ["another mode", ({ cwd }) => chmodSync(join(cwd, "a.txt"), 0o755)],
  ["a link", ({ cwd }) => symlinkSync("a.txt", join(cwd, "link"))],
  ["a commit that changes nothing", ({ git }) => git("commit", "--quiet", "--allow-empty", "-m", "empty")],
  ["a name that is not plain text", ({ write }) => write('né\n"w', "one")],
])("%s is another state", async (_name, change) => {
  const repo = repository();
  const before = await treeState(repo.cwd);
  expect(await treeState(repo.cwd)).toBe(before);
  change(repo);
  const after = await treeState(repo.cwd);
  expect([typeof after, after === before]).toEqual(["string", false]);
});

test.each([
  ["a file that was changed before", "a.txt"],
  ["an untracked file", "new/b.txt"],
  ["a file whose name is not plain text", 'né\n"w'],
])("more changes to %s are another state, the same content is not", async (_name, file) => {
  const { cwd, write } = repository();
  write(file, "two");
  const before = await treeState(cwd);
  write(file, "too");
  expect(await treeState(cwd)).not.toBe(before);
  write(file, "two");
  utimesSync(join(cwd, file), 1, 1);
  expect(await treeState(cwd)).toBe(before);
});

test("ignored files do not count, and reading the state writes nothing", async () => {
  const { cwd, git, write } = repository();
  write(".gitignore", "out/\n");
  write("big.txt", "x".repeat(100_000));
  const before = [await treeState(cwd), git("count-objects"), readdirSync(join(cwd, ".git")).sort()];
  write("out/log.txt", "noise");
  expect([await treeState(cwd), git("count-objects"), readdirSync(join(cwd, ".git")).sort()]).toEqual(before);
});

test("in a subfolder the whole repository counts; outside a repository the state is unknown", async () => {
  const { cwd, write } = repository();
  mkdirSync(join(cwd, "sub"));
  const before = await treeState(join(cwd, "sub"));
  write("a.txt", "two");
  expect(await treeState(join(cwd, "sub"))).not.toBe(before);
  const nowhere = mkdtempSync(join(tmpdir(), "ralph-tree-"));
  onTestFinished(() => rmSync(nowhere, { recursive: true }));
  expect(await treeState(nowhere)).toBeNull();
});

test("the state of a nested repository is unknown", async () => {
  const { cwd, git } = repository();
  git("init", "--quiet", "inside");
  expect(await treeState(cwd)).toBeNull();
});

test("aborting does not wait for a slow read", async () => {
  const { cwd, git, write } = repository();
  git("config", "core.fsmonitor", join(cwd, "slow.sh"));
  write("slow.sh", "#!/bin/sh\nsleep 60\n");
  chmodSync(join(cwd, "slow.sh"), 0o755);
  const quit = new AbortController();
  const state = treeState(cwd, quit.signal);
  quit.abort();
  expect(await state).toBeNull();
});

test("receipts do not count as work, in any folder", async () => {
  const { cwd, git, write } = repository();
  const before = await treeState(cwd);
  expect(before).toBe(cleanState(await headOf(cwd)));
  write(".ralph/receipts/3f2a.json", "{}");
  write("sub/.ralph/receipts/3f2a.json", "{}");
  expect(await treeState(cwd)).toBe(before);
  git("add", "--all");
  expect(await treeState(cwd)).toBe(before);
  write("receipts/3f2a.json", "{}");
  expect(await treeState(cwd)).not.toBe(before);
});
