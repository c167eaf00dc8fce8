import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitOnce } from "./commit.ts";
import { headOf } from "./repository.ts";

function repository({ hook = "exit 0" } = {}) {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-git-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5 }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  git("commit", "--quiet", "--allow-empty", "-m", "start");
  const file = join(cwd, ".git/hooks/pre-commit");
  writeFileSync(file, `#!/bin/sh\n${hook}\n`);
  chmodSync(file, 0o755);
  const commits = () => git("log", "--format=%(trailers:key=Ralph-Effect,valueonly)").split("\n").filter(Boolean);
  return { cwd, git, commits, change: (content: string) => writeFileSync(join(cwd, "file"), content) };
}

const effect = async (cwd: string, key: string) => ({
  cwd,
  subject: async () => "work",
  key,
  before: await headOf(cwd),
  earlier: null,
});

test("commits changes with their key", async () => {
  const { cwd, git, change, commits } = repository();
  change("new");
  const outcome = await commitOnce(await effect(cwd, "loop/1/0"));
  expect(outcome).toEqual({ is: "done", detail: git("rev-parse", "HEAD") });
  expect(commits()).toEqual(["loop/1/0"]);
});

test("commits around a submodule that was never checked out", async () => {
  const { cwd, git, change } = repository();
  const commit = git("rev-parse", "HEAD");
  git("update-index", "--add", "--cacheinfo", `160000,${commit},lib`);
  git("commit", "--quiet", "-m", "submodule");
  mkdirSync(join(cwd, "lib"));
  change("new");
  expect(await commitOnce(await effect(cwd, "loop/1/0"))).toMatchObject({ is: "done" });
  expect(git("ls-tree", "--name-only", "HEAD").split("\n")).toEqual(["file", "lib"]);
});

test("does nothing if nothing changed", async () => {
  const { cwd, commits } = repository();
  expect(await commitOnce(await effect(cwd, "loop/1/0"))).toEqual({ is: "skipped", detail: "nothing changed" });
  expect(commits()).toEqual([]);
});

test("finds the commit of an earlier attempt, and only that one", async () => {
  const { cwd, change, commits } = repository();
  const request = await effect(cwd, "loop/1/1");
  change("one");
  const other = await commitOnce({ ...request, key: "loop/1/10" });
  change("two");
  const first = await commitOnce(request);
  expect(await commitOnce(request)).toEqual(first);
  expect(first.detail).not.toBe(other.detail);
  expect(commits()).toEqual(["loop/1/1", "loop/1/10"]);
});

test("reports why a hook refused", async () => {
  const { cwd, change } = repository({ hook: "echo no tests >&2; exit 1" });
  change("new");
  expect(await commitOnce(await effect(cwd, "loop/1/0"))).toEqual({ is: "failed", detail: "no tests" });
});

test.each([
  0, 20, 60, 120, 180, 240,
])("commits once while the git process of an earlier driver is still running, %i ms later", async (ms) => {
  const { cwd, change, commits } = repository({ hook: "sleep 0.2" });
  const request = await effect(cwd, "loop/1/0");
  change("new");
  const orphan = commitOnce(request);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const outcomes = await Promise.all([orphan, commitOnce(request)]);
  const done = { is: "done", detail: await headOf(cwd) };
  expect(outcomes).toEqual([done, done]);
  expect(commits()).toEqual(["loop/1/0"]);
});

test("recognises its commit if an earlier driver's git made it just before the check for changes", async () => {
  const { cwd, git, change, commits } = repository();
  change("new");
  const request = await effect(cwd, "loop/1/0");
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const rival = `${real} add --all && ${real} commit --quiet -m work -m "Ralph-Effect: loop/1/0"`;
  const bin = join(cwd, ".git", "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\n[ "$1" != diff ] || { ${rival}; }\nexec ${real} "$@"\n`, { mode: 0o755 });
  const { PATH } = process.env;
  onTestFinished(() => void Object.assign(process.env, { PATH }));
  process.env.PATH = `${bin}:${PATH}`;
  expect(await commitOnce(request)).toEqual({ is: "done", detail: git("rev-parse", "HEAD") });
  expect(commits()).toEqual(["loop/1/0"]);
});

test("the message is requested with the changes, only if there are any", async () => {
  const { cwd, git, change } = repository();
  const asked: string[] = [];
  const subject = async (changes: () => Promise<{ stat: string; patch: string }>) => {
    const { stat, patch } = await changes();
    asked.push(stat, patch);
    return 'Say "no" to $(hooks) `now`';
  };
  await commitOnce({ ...(await effect(cwd, "loop/1/0")), subject });
  expect(asked).toEqual([]);
  change("new\n");
  await commitOnce({ ...(await effect(cwd, "loop/1/0")), subject });
  expect(asked).toEqual([expect.stringMatching(/file \| 1 \+/), expect.stringContaining("+new")]);
  expect(git("log", "-1", "--format=%s").trim()).toBe('Say "no" to $(hooks) `now`');
});

test("changing files while writing the message prevents the commit", async () => {
  const { cwd, change, commits } = repository();
  change("checked");
  const subject = async () => {
    change("not checked");
    return "work";
  };
  const outcome = await commitOnce({ ...(await effect(cwd, "loop/1/0")), subject });
  expect(outcome).toMatchObject({
    is: "failed",
    detail: expect.stringContaining("files changed while the agent was asked"),
  });
  expect(commits()).toEqual([]);
});

test("unresolved conflicts are left alone", async () => {
  const { cwd, git, change, commits } = repository();
  change("one");
  git("add", "--all");
  git("commit", "--quiet", "-m", "one");
  change("two");
  git("stash", "--quiet");
  change("three");
  git("commit", "--quiet", "-am", "three");
  expect(() => execFileSync("git", ["stash", "pop"], { cwd, stdio: "ignore" })).toThrow();
  const conflicts = git("ls-files", "--unmerged");
  const outcome = await commitOnce(await effect(cwd, "loop/1/0"));
  expect(outcome).toMatchObject({ is: "failed", detail: expect.stringContaining("conflicts") });
  expect([commits(), git("ls-files", "--unmerged")]).toEqual([[], conflicts]);
});

test.each([
  ["a merge", "merge --quiet --no-ff --no-commit side"],
  ["a rebase", "-c sequence.editor=true rebase --quiet --exec false HEAD~1"],
  ["a cherry-pick", "cherry-pick clash"],
  ["a bisect", "bisect start"],
])("%s in progress is left alone until it is over", async (what, command) => {
  const { cwd, git, change } = repository();
  git("commit", "--quiet", "--allow-empty", "-m", "second");
  git("checkout", "--quiet", "-b", "side", "HEAD~1");
  git("commit", "--quiet", "--allow-empty", "-m", "side");
  git("tag", "clash");
  git("checkout", "--quiet", "main");
  spawnSync("git", command.split(" "), { cwd, stdio: "ignore" });
  change("new");
  const before = [git("rev-parse", "HEAD"), git("status", "--porcelain")];
  const request = await effect(cwd, "loop/1/0");
  expect(await commitOnce(request)).toEqual({
    is: "failed",
    detail: expect.stringContaining(`${what} is in progress`),
  });
  expect([git("rev-parse", "HEAD"), git("status", "--porcelain")]).toEqual(before);
});

test("paths that git refuses do not keep the others from the commit", async () => {
  const { cwd, git, change } = repository();
  for (const folder of ["dir", "real", "in", "out"]) {
    mkdirSync(join(cwd, folder));
    writeFileSync(join(cwd, folder, "f"), "one");
  }
  git("add", "--all");
  git("commit", "--quiet", "-m", "folders");
  git("sparse-checkout", "set", "in", "dir", "real");
  mkdirSync(join(cwd, "out"), { recursive: true });
  writeFileSync(join(cwd, "out/new"), "outside of the cone");
  git("init", "--quiet", "fixture");
  rmSync(join(cwd, "dir"), { recursive: true });
  symlinkSync("real", join(cwd, "dir"));
  change("new");
  const outcome = await commitOnce(await effect(cwd, "loop/1/0"));
  const unstaged = { files: 2, named: expect.arrayContaining(["dir", "dir/f"]) };
  expect(outcome).toMatchObject({ is: "done", leftOut: { unstaged } });
  expect(git("show", "--format=", "--name-only", "HEAD").split("\n")).toEqual(["file", "out/new"]);
});

test("a subject that looks like a comment stays, for any configuration", async () => {
  const { cwd, git, change } = repository();
  git("config", "commit.cleanup", "strip");
  change("new");
  await commitOnce({ ...(await effect(cwd, "loop/1/0")), subject: async () => "#12: mend it" });
  expect(git("log", "-1", "--format=%s")).toBe("#12: mend it");
});

test("run files, receipts and personal settings are never committed, even if not ignored", async () => {
  const { cwd, git, change } = repository();
  change("work");
  for (const folder of [".ralph", "sub/.ralph"]) {
    mkdirSync(join(cwd, folder, "receipts"), { recursive: true });
    writeFileSync(join(cwd, folder, "receipts/3f2a.json"), "{}");
    writeFileSync(join(cwd, folder, "guardrail_1_lint.log"), "noise");
    writeFileSync(join(cwd, folder, "settings.json"), "{}");
    writeFileSync(join(cwd, folder, "settings.local.json"), '{"notify": "a secret"}');
  }
  await commitOnce(await effect(cwd, "loop/1/0"));
  expect(git("show", "--format=", "--name-only", "HEAD").trim().split("\n").sort()).toEqual([
    ".ralph/settings.json",
    "file",
    "sub/.ralph/settings.json",
  ]);
});

test("a receipt alone is nothing to commit", async () => {
  const { cwd, commits } = repository();
  mkdirSync(join(cwd, ".ralph/receipts"), { recursive: true });
  writeFileSync(join(cwd, ".ralph/receipts/3f2a.json"), "{}");
  const before = commits();
  expect(await commitOnce(await effect(cwd, "loop/1/0"))).toEqual({ is: "skipped", detail: "nothing changed" });
  expect(commits()).toEqual(before);
});
