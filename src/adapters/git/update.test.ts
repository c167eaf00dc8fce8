import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { taskRepository } from "../../../test/support/task-repository.ts";
import { type ConflictKind, filesWithMarkers } from "./conflicts.ts";
import { bringUpToDate } from "./update.ts";

type Repository = ReturnType<typeof taskRepository>;
type Files = Record<string, string | Buffer | null>;

async function diverged(repo: Repository, ours: Files, theirs: Files) {
  const { work, at } = await repo.task();
  const head = at.commit(ours);
  const onto = repo.commit(theirs);
  const update = (known: string | null = null) => bringUpToDate({ ...work, task: "T-1", known });
  return { work, at, head, onto, update };
}

test("a branch that contains the target is current; another one gets it in a merge commit of two parents", async () => {
  const repo = taskRepository();
  const { at, head, onto, update, work } = await diverged(repo, { "mine.txt": "mine\n" }, { "theirs.txt": "theirs\n" });
  expect(await bringUpToDate({ ...work, target: work.branch, task: "T-1" })).toMatchObject({ is: "current", head });
  const merged = await update();
  const made = at.git("rev-parse", "HEAD");
  expect(merged).toEqual({ is: "merged", head: made, onto, aside: [] });
  expect(at.git("show", "--no-patch", "--format=%P|%s|%an", "HEAD")).toBe(
    `${head} ${onto}|Merge main into task/T-1|Test`,
  );
  expect(at.git("show", "--no-patch", "--format=%(trailers:key=Ralph-Effect,valueonly)", "HEAD")).toBe(
    `merge/T-1/${onto}`,
  );
  expect([at.read("mine.txt"), at.read("theirs.txt"), at.git("status", "--porcelain")]).toEqual([
    "mine\n",
    "theirs\n",
    "",
  ]);
  // Killed before it was recorded: reported again. Recorded: not reported.
  expect(await update()).toEqual(merged);
  expect(await update(onto)).toEqual({ is: "current", head: made, onto, aside: [] });
  at.commit({ "more.txt": "more\n" });
  expect(await update()).toMatchObject({ is: "current" });
});

const LONG = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join("");
const BINARY = (last: number) => Buffer.from([0, 1, 2, 0, last]);

test.each<[string, Files, Files, Files, [string, ConflictKind][], [string, RegExp | null][]]>([
  [
    "content",
    {},
    { "a.txt": "one\nours\nthree\n" },
    { "a.txt": "one\ntheirs\nthree\n" },
    [["a.txt", "both sides changed it"]],
    [["a.txt", /^one\n<<<<<<< task\/T-1\nours\n=======\ntheirs\n>>>>>>> main\nthree\n$/]],
  ],
  [
    "added twice",
    {},
    { "né w.txt": "ours\n" },
    { "né w.txt": "theirs\n" },
    [["né w.txt", "both sides added it"]],
    [["né w.txt", /<<<<<<< task\/T-1\nours/]],
  ],
  [
    "changed and deleted",
    { "c.txt": "c\n" },
    { "b.txt": "changed\n", "c.txt": null },
    { "b.txt": null, "c.txt": "changed\n" },
    [
      ["b.txt", "changed by the task, deleted by the target"],
      ["c.txt", "deleted by the task, changed by the target"],
    ],
    [
      ["b.txt", /^changed\n$/],
      ["c.txt", /^changed\n$/],
    ],
  ],
  [
    "renamed twice",
    { "long.txt": LONG },
    { "long.txt": null, "ours.txt": LONG },
    { "long.txt": null, "theirs.txt": LONG },
    [
      ["long.txt", "both sides renamed it, to different names"],
      ["ours.txt", "both sides renamed it, to different names"],
      ["theirs.txt", "both sides renamed it, to different names"],
    ],
    [["ours.txt", /line 1/]],
  ],
  [
    "renamed and deleted",
    { "long.txt": LONG },
    { "long.txt": null, "ours.txt": LONG },
    { "long.txt": null },
    [["ours.txt", "renamed by one side, deleted by the other"]],
    [["ours.txt", /line 1/]],
  ],
  [
    "binary",
    { "x.bin": BINARY(1) },
    { "x.bin": BINARY(2) },
    { "x.bin": BINARY(3) },
    [["x.bin", "both sides changed it, and it is binary: the task's version is in place, without markers"]],
    [["x.bin", /\x02$/]],
  ],
  [
    "a file and a folder",
    {},
    { new: "file\n" },
    { "new/inside.txt": "folder\n" },
    [["new~task_T-1", "a file for one side, a folder for the other"]],
    [["new/inside.txt", /folder/]],
  ],
])("conflicts are committed with their markers: %s", async (_name, before, ours, theirs, conflicts, files) => {
  const repo = taskRepository();
  repo.commit(before);
  const { at, head, onto, update } = await diverged(repo, ours, theirs);
  const told = await update();
  expect(told).toEqual({
    is: "conflicted",
    head: at.git("rev-parse", "HEAD"),
    onto,
    aside: [],
    conflicts: conflicts.map(([path, kind]) => ({ path, kind })),
  });
  expect(at.git("show", "--no-patch", "--format=%P", "HEAD")).toBe(`${head} ${onto}`);
  expect(at.git("status", "--porcelain")).toBe("");
  for (const [name, content] of files) if (content) expect(at.read(name)).toMatch(content);
  expect(await update()).toEqual(told);
  expect(await update(onto)).toMatchObject({ is: "current" });
});

test("remaining markers are found, in the files that had conflicts", async () => {
  const repo = taskRepository();
  const { at, update } = await diverged(
    repo,
    { "a.txt": "ours\n", "-x y": "ours\n" },
    { "a.txt": "theirs\n", "-x y": "theirs\n" },
  );
  expect(await update()).toMatchObject({ is: "conflicted" });
  const left = () => filesWithMarkers(at.cwd, at.git("rev-parse", "HEAD"), ["-x y", "a.txt", "b.txt"]);
  expect(await left()).toEqual(["-x y", "a.txt"]);
  at.commit({ "a.txt": "both\n=======\n" });
  expect(await left()).toEqual(["-x y"]);
  at.commit({ "-x y": null });
  expect(await left()).toEqual([]);
  expect(await filesWithMarkers(at.cwd, "0".repeat(40), ["a.txt"])).toBeNull();
});

test("uncommitted files in the worktree are set aside, and none is lost", async () => {
  const repo = taskRepository();
  const { at, onto, update } = await diverged(
    repo,
    { "mine.txt": "mine\n" },
    { "new.txt": "theirs\n", "dir/x": "x\n" },
  );
  at.write("a.txt", "staged\n");
  at.git("add", "a.txt");
  at.write("a.txt", "changed by a check\n");
  rmSync(join(at.cwd, "b.txt"));
  at.write("new.txt", "untracked, in the way\n");
  at.write("dir", "a file where a folder should be\n");
  at.write("elsewhere.txt", "untracked, in nobody's way\n");
  const told = await update();
  expect(told).toMatchObject({ is: "merged", onto, aside: ["refs/ralph/aside/T-1/1", "refs/ralph/aside/T-1/2"] });
  const kept = (n: number, path: string) => at.git("show", `refs/ralph/aside/T-1/${n}:${path}`);
  expect(kept(1, "a.txt")).toBe("changed by a check");
  expect(at.git("show", "refs/ralph/aside/T-1/1^2:a.txt")).toBe("staged");
  expect(at.git("ls-tree", "--name-only", "refs/ralph/aside/T-1/1").split("\n")).not.toContain("b.txt");
  expect([kept(2, "new.txt"), kept(2, "dir")]).toEqual(["untracked, in the way", "a file where a folder should be"]);
  expect([at.read("a.txt"), at.read("b.txt"), at.read("new.txt"), at.read("dir/x"), at.read("elsewhere.txt")]).toEqual([
    "one\ntwo\nthree\n",
    "b\n",
    "theirs\n",
    "x\n",
    "untracked, in nobody's way\n",
  ]);
  expect(at.git("status", "--porcelain")).toBe("?? elsewhere.txt");
});

test("a merge, rebase or other branch in the worktree is abandoned, and its work kept", async () => {
  const repo = taskRepository();
  const { at, head, onto, update } = await diverged(repo, { "a.txt": "ours\n" }, { "a.txt": "theirs\n" });
  expect(() => at.git("merge", "main")).toThrow();
  at.write("a.txt", "half mended\n");
  const told = await update();
  expect(told).toMatchObject({ is: "conflicted", onto, aside: ["refs/ralph/aside/T-1/1"] });
  expect(at.git("show", "refs/ralph/aside/T-1/1:a.txt")).toBe("half mended");
  expect(at.git("rev-parse", "refs/ralph/aside/T-1/1^1", "HEAD^1")).toBe(`${head}\n${head}`);

  at.git("reset", "--quiet", "--hard", head);
  expect(() => at.git("rebase", "main")).toThrow();
  expect(await update()).toMatchObject({ is: "conflicted", onto });
  expect(at.git("symbolic-ref", "HEAD")).toBe("refs/heads/task/T-1");

  at.git("switch", "--quiet", "--create", "of-its-own");
  const ahead = at.commit({ "ahead.txt": "ahead\n" });
  expect(await update()).toMatchObject({ is: "current", head: ahead });
  at.git("checkout", "--quiet", "--detach", "HEAD^");
  const stray = at.commit({ "stray.txt": "stray\n" });
  const back = await update();
  expect(back).toMatchObject({ is: "current", head: ahead });
  expect(at.git("rev-parse", `${back.is === "current" ? back.aside[0] : ""}^1`)).toBe(stray);
  expect(at.git("symbolic-ref", "HEAD")).toBe("refs/heads/task/T-1");
});

test("programs configured in the repository are not run; git's built-in ones work", async () => {
  const repo = taskRepository();
  repo.commit({ ".gitattributes": "a.txt merge=evil\nlog.txt merge=union\n", "log.txt": "start\n" });
  repo.git("config", "merge.evil.driver", `touch ${join(repo.home, "ran")}; true`);
  repo.git("config", "commit.gpgSign", "true");
  repo.git("config", "gpg.program", "false");
  repo.git("config", "filter.evil.smudge", `touch ${join(repo.home, "ran")}; cat`);
  repo.write(".git/info/attributes", "b.txt filter=evil\n");
  for (const name of ["pre-merge-commit", "commit-msg", "post-merge", "post-checkout", "reference-transaction"]) {
    repo.hook(name, `touch ${join(repo.home, "ran")}; exit 1`);
  }
  const { work, at } = await repo.task();
  const off = ["-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null"];
  const commit = (place: Pick<typeof at, "write" | "git">, files: Record<string, string>) => {
    for (const [name, content] of Object.entries(files)) place.write(name, content);
    place.git(...off, "commit", "--all", "--quiet", "-m", "more");
  };
  commit(at, { "a.txt": "ours\n", "log.txt": "start\nours\n" });
  commit(repo, { "a.txt": "theirs\n", "log.txt": "start\ntheirs\n", "b.txt": "changed\n" });
  expect(await bringUpToDate({ ...work, task: "T-1" })).toMatchObject({
    is: "conflicted",
    conflicts: [{ path: "a.txt", kind: "both sides changed it" }],
  });
  expect(at.read("log.txt")).toBe("start\nours\ntheirs\n");
  expect(existsSync(join(repo.home, "ran"))).toBe(false);
});

test("without an identity the merge is Ralph's", async () => {
  const repo = taskRepository();
  const { at, update } = await diverged(repo, { "mine.txt": "mine\n" }, { "theirs.txt": "theirs\n" });
  repo.git("config", "user.name", "");
  repo.git("config", "user.email", "");
  expect(await update()).toMatchObject({ is: "merged" });
  expect(at.git("show", "--no-patch", "--format=%an <%ae> %cn <%ce>")).toBe(
    "Ralph <ralph@localhost> Ralph <ralph@localhost>",
  );
});

test("a lock left in the worktree by a killed git is removed", async () => {
  const repo = taskRepository();
  const { at, update } = await diverged(repo, { "mine.txt": "mine\n" }, { "theirs.txt": "theirs\n" });
  repo.write(".git/worktrees/T-1/index.lock", "");
  repo.write(".git/refs/heads/task/T-1.lock", "");
  expect(await update()).toMatchObject({ is: "merged" });
  expect(at.git("status", "--porcelain")).toBe("");
});
