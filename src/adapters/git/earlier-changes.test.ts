import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitOnce, WORK_PATHS } from "./commit.ts";
import { changedPaths, readRecord, recordText, uncommittedRecord } from "./earlier-changes.ts";
import { headOf } from "./repository.ts";

const MOST = 1_000;

/** A repository with these files committed; null: without any commit. */
function repository(files: Record<string, string> | null = {}) {
  const root = mkdtempSync(join(tmpdir(), "ralph-git-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
  const path = (name: string) => join(root, name);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  if (files) {
    for (const [name, content] of Object.entries(files)) write(name, content);
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "-m", "start");
  }
  let n = 0;
  return {
    root,
    git,
    path,
    write,
    /** Begins a loop in a folder: returns what commits the work since then. */
    async begin(folder = ".") {
      const cwd = path(folder);
      const record = await uncommittedRecord(cwd, WORK_PATHS, MOST);
      if (record === null || record === "many") throw new Error("no record");
      const earlier = readRecord(recordText(record));
      return async () => {
        const subject = async () => "work";
        return commitOnce({ cwd, subject, key: `loop/${++n}/0`, before: await headOf(cwd), earlier });
      };
    },
    committed: () =>
      git("show", "--format=", "--name-only", "-z", "--no-renames", "HEAD").split("\0").filter(Boolean).sort(),
    status: () => git("status", "--porcelain", "-z", "--untracked-files=all").split("\0").filter(Boolean).sort(),
  };
}

test("the user's changes stay as they were: modified, staged, deleted, untracked", async () => {
  const { begin, committed, status, git, write, path } = repository({ a: "1", b: "1", c: "1", d: "1", e: "1" });
  write("a", "mine");
  write("b", "staged");
  write("new staged", "x");
  git("add", "b", "new staged");
  write("b", "staged, then edited");
  unlinkSync(path("c"));
  git("rm", "--quiet", "d");
  write("näme with\nnewline", "mine");
  write("notes/own.md", "mine");
  const before = status();
  const commit = await begin();
  write("e", "work");
  write("notes/work.md", "work");
  write("-w ö\nrk", "work");
  symlinkSync("e", path("link"));
  expect(await commit()).toEqual({ is: "done", detail: git("rev-parse", "HEAD").trim() });
  expect(committed()).toEqual(["-w ö\nrk", "e", "link", "notes/work.md"]);
  expect(status()).toEqual(before);
  // What the loop has committed can be changed again.
  write("e", "more work");
  chmodSync(path("notes/work.md"), 0o755);
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(["e", "notes/work.md"]);
  expect(status()).toEqual(before);
  expect(await commit()).toEqual({ is: "skipped", detail: "nothing changed" });
});

test("a file that the user and the agent changed is named and not committed, also when it is moved or deleted", async () => {
  const { begin, committed, git, write, path } = repository({ a: "1", b: "1", c: "1" });
  for (const name of ["a", "b", "new"]) write(name, `mine ${name}`);
  write("mode", "mine");
  const commit = await begin();
  write("a", "mine and the agent's");
  unlinkSync(path("b"));
  renameSync(path("new"), path("moved"));
  chmodSync(path("mode"), 0o755);
  git("add", "--all");
  write("c", "work");
  const both = { files: 4, named: ["a", "b", "mode", "moved"] };
  expect(await commit()).toMatchObject({ is: "done", leftOut: { both } });
  expect(committed()).toEqual(["c"]);
  expect(await commit()).toEqual({ is: "skipped", detail: "nothing changed", leftOut: { both } });
});

test("once the user has committed a file as it was, later changes are work", async () => {
  const { begin, committed, git, write } = repository({ a: "1\n", ".gitattributes": "* text eol=crlf\n" });
  write("a", "mine\r\n");
  write("b", "mine\r\n");
  const commit = await begin();
  git("add", "--all");
  git("commit", "--quiet", "-m", "mine");
  write("a", "work\r\n");
  write("b", "work\r\n");
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(["a", "b"]);
});

test("secrets are named and not committed, unless the repository already tracks the key", async () => {
  const { begin, committed, status, write, path } = repository({
    "test/server.pem": "k",
    ".env": "A=1",
    old: "x",
    id_rsa: "k",
  });
  const commit = await begin();
  for (const name of [".env", "app/.env.local", "app/.env.example", "id_ed25519", "id_ed25519.pub", "test/server.pem"])
    write(name, "new");
  unlinkSync(path("old"));
  write("old/.env", "A=1");
  write("old/code", "x");
  unlinkSync(path("id_rsa"));
  const named = [".env", "app/.env.local", "id_ed25519", "old/.env"];
  expect(await commit()).toMatchObject({ is: "done", leftOut: { secrets: { files: 4, named } } });
  expect(committed()).toEqual(["app/.env.example", "id_ed25519.pub", "id_rsa", "old", "old/code", "test/server.pem"]);
  expect(status()).toEqual([" M .env", "?? app/.env.local", "?? id_ed25519", "?? old/.env"]);
});

test("a repository without a commit, a folder of it, and a list that is longer than a command line", async () => {
  const { begin, committed, status, write } = repository(null);
  write("own", "mine");
  write("below/own", "mine");
  const commit = await begin("below");
  const files = Array.from({ length: 2_000 }, (_, i) => `below/${"a-long-name-".repeat(10)}${i}`);
  for (const file of files) write(file, "work");
  write("beside", "not in the folder");
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(files.sort());
  expect(status()).toEqual(["?? below/own", "?? beside", "?? own"]);
});

test("submodules and repositories of the user are left alone", async () => {
  const { begin, committed, status, git, write, path, root } = repository({ a: "1" });
  git("clone", "--quiet", root, "sub");
  git("add", "sub");
  git("commit", "--quiet", "-m", "sub");
  git("clone", "--quiet", root, "mine");
  git("-C", "sub", "-c", "user.name=T", "-c", "user.email=t@e", "commit", "--quiet", "--allow-empty", "-m", "ahead");
  const before = status();
  const commit = await begin();
  write("a", "work");
  write("sub/changed-inside", "x");
  write("mine/changed-inside", "x");
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(["a"]);
  expect(status()).toEqual(before);
  expect(statSync(path("mine/.git")).isDirectory()).toBe(true);
});

test("renames, deletions and ignored folders of the agent, which may stage them itself", async () => {
  const { begin, committed, git, write, path } = repository({ a: "1", b: "1", "out/kept": "1", ".gitignore": "out\n" });
  git("add", "--force", "out/kept");
  git("commit", "--quiet", "-m", "kept");
  write("mine", "x");
  git("add", "mine");
  const commit = await begin();
  git("mv", "a", "renamed");
  git("rm", "--quiet", "b");
  write("out/kept", "2");
  write("out/ignored", "2");
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(["a", "b", "out/kept", "renamed"]);
  expect(git("diff", "--cached", "--name-only").trim()).toBe("mine");
  expect(readFileSync(path("mine"), "utf8")).toBe("x");
});

test("more files than can be recorded", async () => {
  const { root, write } = repository();
  for (const name of ["a", "b", "c"]) write(name, "x");
  expect(await uncommittedRecord(root, WORK_PATHS, 2)).toBe("many");
});

test("what git ignored when the loop began stays out, whatever the rules become", async () => {
  const { begin, committed, write, path, root } = repository({ a: "1", ".gitignore": "private/\n*.dump\n" });
  write(".git/info/exclude", "secret.txt\n");
  for (const name of ["private/notes.txt", "db.dump", "deep/x.dump", "secret.txt"]) write(name, "mine");
  const record = await uncommittedRecord(root, WORK_PATHS, MOST);
  expect(record === null || record === "many" ? null : changedPaths(record)).toEqual([]);
  const commit = await begin();
  write(".gitignore", "*.log\n");
  write(".git/info/exclude", "");
  unlinkSync(path("db.dump"));
  write("db.dump", "changed");
  for (const name of ["private/new", "deep/work", "new.dump"]) write(name, "work");
  const named = ["db.dump", "deep/x.dump", "private/new", "private/notes.txt", "secret.txt"];
  expect(await commit()).toMatchObject({ is: "done", leftOut: { ignored: { files: 5, named } } });
  expect(committed()).toEqual([".gitignore", "deep/work", "new.dump"]);
});

test.each<[string, (of: ReturnType<typeof repository>) => void]>([
  [
    "staged, with the last commit's content in the file",
    ({ git, write }) => {
      write("a", "staged\n");
      git("add", "a");
      write("a", "one\n");
    },
  ],
  ["removed from the index alone", ({ git }) => git("rm", "--quiet", "--cached", "a")],
  ["made executable", ({ path }) => chmodSync(path("a"), 0o755)],
])("a file of the user: %s", async (_, prepare) => {
  const made = repository({ a: "one\n", b: "1" });
  const { begin, committed, git, write } = made;
  prepare(made);
  const index = git("ls-files", "--stage", "a");
  const commit = await begin();
  write("a", "one\nwork\n");
  write("b", "work");
  expect(await commit()).toMatchObject({ is: "done", leftOut: { both: { named: ["a"] } } });
  expect(committed()).toEqual(["b"]);
  expect(git("ls-files", "--stage", "a")).toBe(index);
});

test("a mode that the user has committed is not in the way of work", async () => {
  const { begin, committed, git, write, path } = repository({ a: "one\n" });
  chmodSync(path("a"), 0o755);
  const commit = await begin();
  git("commit", "--quiet", "-am", "mode");
  write("a", "work\n");
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(["a"]);
});

test("a record without the state of the last commit still reads", async () => {
  const { root, git, write } = repository({ a: "1" });
  write("a", "mine");
  const digest = createHash("sha256").update("mine").digest("hex");
  const earlier = readRecord(Buffer.from(`file:${digest} a\0`));
  const commit = async () =>
    commitOnce({ cwd: root, subject: async () => "work", key: "loop/1/0", before: await headOf(root), earlier });
  write("a", "both");
  expect(await commit()).toMatchObject({ is: "skipped", leftOut: { both: { named: ["a"] } } });
  write("a", "mine");
  git("commit", "--quiet", "-am", "mine");
  write("a", "work");
  expect(await commit()).toMatchObject({ is: "done" });
});

test("a copy of the user's work is left out; what many files contain is not a copy", async () => {
  const { begin, committed, write, path } = repository({ a: "1", b: "1" });
  write("a", "mine\n");
  write("empty.json", "{}\n");
  const commit = await begin();
  for (const name of ["copy", "b"]) write(name, "mine\n");
  chmodSync(path("copy"), 0o755);
  write("other.json", "{}\n");
  expect(await commit()).toMatchObject({ is: "done", leftOut: { both: { named: ["b", "copy"] } } });
  expect(committed()).toEqual(["other.json"]);
});

test("edits that git was told not to report are the user's", async () => {
  const { begin, committed, git, write } = repository({ a: "1", b: "1", c: "1", d: "1" });
  git("update-index", "--assume-unchanged", "a", "c");
  git("update-index", "--skip-worktree", "b");
  for (const name of ["a", "b"]) write(name, "mine");
  const commit = await begin();
  git("update-index", "--no-assume-unchanged", "a", "c");
  git("update-index", "--no-skip-worktree", "b");
  write("b", "mine and the agent's");
  for (const name of ["c", "d"]) write(name, "work");
  expect(await commit()).toMatchObject({ is: "done", leftOut: { both: { named: ["b"] } } });
  expect(committed()).toEqual(["c", "d"]);
});

test("a new repository inside is named, and a new submodule is committed", async () => {
  const { begin, committed, git, write, path, root } = repository({ a: "1" });
  git("clone", "--quiet", root, "mine");
  const commit = await begin();
  git("clone", "--quiet", root, "vendor/lib");
  git("init", "--quiet", "empty");
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", root, "sub");
  rmSync(path("mine/.git"), { recursive: true });
  write("b", "work");
  const leftOut = {
    both: { files: 1, named: ["mine/a"] },
    repositories: { files: 2, named: ["empty", "vendor/lib"] },
  };
  expect(await commit()).toMatchObject({ is: "done", leftOut });
  expect(committed()).toEqual([".gitmodules", "b", "sub"]);
});

test("a hook that adds everything takes nothing of the user's into the commit, and the index stays", async () => {
  const { root, git, write, begin } = repository({ "a.txt": "one\n", "base.txt": "base\n" });
  write("base.txt", "base\nmine\n");
  write("mine.txt", "mine");
  write("staged.txt", "staged");
  git("add", "staged.txt");
  writeFileSync(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\ngit add -A\n", { mode: 0o755 });
  const commit = await begin();
  write("a.txt", "two\n");
  const [head, index] = [git("rev-parse", "HEAD"), git("ls-files", "--stage")];
  expect(await commit()).toMatchObject({
    is: "failed",
    detail: expect.stringMatching(
      /^a git hook added files .*\(base\.txt, mine\.txt, staged\.txt\), so it was taken back/,
    ),
  });
  expect([git("rev-parse", "HEAD"), git("ls-files", "--stage")]).toEqual([head, index]);
});

test("a hook adds what it generates and formats", async () => {
  const { root, write, begin, committed } = repository({ "a.txt": "one\n", "made.txt": "" });
  write("mine.txt", "mine");
  const hook =
    "#!/bin/sh\necho made > made.txt; echo new > new.txt; echo formatted > a.txt; git add made.txt new.txt a.txt\n";
  writeFileSync(join(root, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
  const commit = await begin();
  write("a.txt", "two\n");
  expect(await commit()).toMatchObject({ is: "done" });
  expect(committed()).toEqual(["a.txt", "made.txt", "new.txt"]);
});

test("the first commit of a repository is taken back as well", async () => {
  const { root, git, write, begin } = repository(null);
  write("mine.txt", "mine");
  writeFileSync(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\ngit add -A\n", { mode: 0o755 });
  const commit = await begin();
  write("a.txt", "two\n");
  expect(await commit()).toMatchObject({ is: "failed", detail: expect.stringContaining("mine.txt") });
  expect(git("status", "--porcelain")).toBe("?? a.txt\n?? mine.txt\n");
});
