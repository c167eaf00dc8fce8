import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestOf, placeAt, taskRepository } from "../../../test/support/task-repository.ts";
import { prepareWork } from "./task-branch.ts";

type Repository = ReturnType<typeof taskRepository>;

test("a task gets a branch at the target and its own worktree; the checkout is not touched", async () => {
  const repo = taskRepository({ name: "réposi tory" });
  repo.hook("post-checkout", `touch ${JSON.stringify(join(repo.home, "ran"))}; exit 1`);
  repo.write("a.txt", "dirty\n");
  const before = digestOf(join(repo.cwd, "a.txt"));
  const index = digestOf(join(repo.cwd, ".git/index"));
  const base = repo.git("rev-parse", "HEAD");
  const request = { cwd: repo.cwd, task: "T-1", worktrees: join(repo.home, "wörk trees") };
  const work = await prepareWork(request);
  expect(work).toEqual({ branch: "task/T-1", target: "main", base, worktree: join(repo.home, "wörk trees/T-1") });
  const at = placeAt(work.worktree);
  expect([at.read("a.txt"), at.git("symbolic-ref", "HEAD"), at.git("status", "--porcelain")]).toEqual([
    "one\ntwo\nthree\n",
    "refs/heads/task/T-1",
    "",
  ]);
  expect([digestOf(join(repo.cwd, "a.txt")), digestOf(join(repo.cwd, ".git/index"))]).toEqual([before, index]);
  expect([repo.git("symbolic-ref", "HEAD"), existsSync(join(repo.home, "ran"))]).toEqual(["refs/heads/main", false]);
  expect(repo.git("for-each-ref", "refs/ralph/aside")).toBe("");
  // Existing changes stay.
  at.write("b.txt", "somebody's work\n");
  expect(await prepareWork(request)).toEqual(work);
  at.commit();
  repo.git("commit", "--quiet", "--all", "-m", "the target goes on");
  expect(await prepareWork(request)).toEqual(work);
  expect(at.read("b.txt")).toBe("somebody's work\n");
});

test("several are prepared at once", async () => {
  const repo = taskRepository();
  const ids = Array.from({ length: 8 }, (_, i) => `T-${i}`);
  const all = await Promise.all(ids.map((id) => repo.task(id)));
  expect(all.map(({ at }) => at.git("symbolic-ref", "--short", "HEAD"))).toEqual(ids.map((id) => `task/${id}`));
  expect(all.map(({ at }) => at.git("status", "--porcelain"))).toEqual(ids.map(() => ""));
});

test("targets other than the checked-out branch", async () => {
  const repo = taskRepository();
  repo.git("branch", "release/ü 1".replace(" ", "-"));
  repo.git("update-ref", "refs/heads/-odd", "HEAD");
  repo.git("switch", "--quiet", "--create", "elsewhere");
  repo.commit({ "c.txt": "c\n" });
  expect((await repo.task("A", "release/ü-1")).work).toMatchObject({ target: "release/ü-1" });
  const { work, at } = await repo.task("B", "-odd");
  expect([work.target, existsSync(join(at.cwd, "c.txt"))]).toEqual(["-odd", false]);
});

test.each<[string, (repo: Repository, worktree: string) => unknown]>([
  ["nothing", () => undefined],
  ["the folder is missing", (_repo, worktree) => rmSync(worktree, { recursive: true })],
  ["the folder is empty", (_repo, worktree) => [rmSync(worktree, { recursive: true }), mkdirSync(worktree)]],
  ["git has forgotten it", (repo, worktree) => repo.git("worktree", "remove", "--force", worktree)],
  ["only the branch exists", (repo) => rmSync(join(repo.cwd, ".git/worktrees"), { recursive: true })],
  [
    "no branch",
    (repo, worktree) => [repo.git("worktree", "remove", "--force", worktree), repo.git("branch", "-D", "task/T-1")],
  ],
  [
    "interrupted while it was registered",
    (repo, worktree) => {
      rmSync(worktree, { recursive: true });
      writeFileSync(join(repo.cwd, ".git/worktrees/T-1/locked"), "initializing");
    },
  ],
  [
    "interrupted before all files were checked out",
    (repo, worktree) => {
      rmSync(join(repo.cwd, ".git/worktrees/T-1/ralph-ready"));
      rmSync(join(repo.cwd, ".git/worktrees/T-1/index"));
      writeFileSync(join(repo.cwd, ".git/worktrees/T-1/index.lock"), "");
      rmSync(join(worktree, "b.txt"));
    },
  ],
  ["its link is missing", (_repo, worktree) => rmSync(join(worktree, ".git"))],
])("is repaired: %s", async (name, harm) => {
  const repo = taskRepository();
  const { work } = await repo.task();
  // The folder itself is a leftover unknown to git.
  if (name === "only the branch exists") rmSync(work.worktree, { recursive: true });
  harm(repo, work.worktree);
  const again = await repo.task();
  expect(again.work).toEqual(work);
  expect([again.at.git("symbolic-ref", "HEAD"), again.at.git("status", "--porcelain")]).toEqual([
    "refs/heads/task/T-1",
    "",
  ]);
  expect(repo.git("for-each-ref", "refs/ralph/aside")).toBe("");
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(2);
});

test("a partial checkout with work in it loses nothing", async () => {
  const repo = taskRepository();
  const { work, at } = await repo.task();
  rmSync(join(repo.cwd, ".git/worktrees/T-1/ralph-ready"));
  at.write("a.txt", "work\n");
  await repo.task();
  expect(at.read("a.txt")).toBe("one\ntwo\nthree\n");
  expect(repo.git("show", "refs/ralph/aside/T-1/1:a.txt")).toBe("work");
  // Moved with the state folder: linked again, with its content.
  at.write("a.txt", "more work\n");
  const moved = join(repo.home, "moved");
  mkdirSync(moved);
  renameSync(work.worktree, join(moved, "T-1"));
  const there = await prepareWork({ cwd: repo.cwd, task: "T-1", worktrees: moved });
  expect(there.worktree).toBe(join(moved, "T-1"));
  expect(placeAt(there.worktree).git("status", "--porcelain")).toBe(" M a.txt");
});

test("a branch without commits of its own starts at the current target", async () => {
  const repo = taskRepository();
  const { work } = await repo.task();
  const onto = repo.commit({ "c.txt": "c\n" });
  // It may be in use: it stays where it is.
  expect((await repo.task()).work.base).toBe(work.base);
  repo.git("worktree", "remove", work.worktree);
  expect((await repo.task()).work.base).toBe(onto);
  repo.git("branch", "task/old", work.base);
  expect((await repo.task("old")).work.base).toBe(onto);
});

test.each<[string, (repo: Repository) => Promise<unknown> | unknown, string, string?]>([
  ["a detached HEAD", (repo) => repo.git("checkout", "--quiet", "--detach"), "detached-head"],
  ["no commit", (repo) => repo.git("switch", "--quiet", "--orphan", "new"), "no-commit"],
  ["no repository", (repo) => rmSync(join(repo.cwd, ".git"), { recursive: true }), "no-repository"],
  ["an unknown target", () => undefined, "unknown-target", "nowhere"],
  ["a target that is not a valid name", () => undefined, "unknown-target", "--upload-pack=x"],
  ["a target that is an expression", () => undefined, "unknown-target", "main~0"],
  ["itself as target", (repo) => repo.git("branch", "task/T-1"), "own-target", "task/T-1"],
  [
    "a branch that the user made",
    (repo) => {
      repo.git("switch", "--quiet", "--create", "task/T-1");
      repo.commit({ "c.txt": "c\n" });
      repo.git("switch", "--quiet", "main");
    },
    "branch-exists",
  ],
  ["a branch with the folder's name", (repo) => repo.git("branch", "task"), "branch-failed"],
  [
    "the branch checked out elsewhere",
    (repo) => repo.git("worktree", "add", "--quiet", "-b", "task/T-1", join(repo.home, "mine")),
    "branch-checked-out",
  ],
  [
    "something else in its place",
    (repo) => {
      mkdirSync(join(repo.worktrees, "T-1"), { recursive: true });
      writeFileSync(join(repo.worktrees, "T-1", "precious"), "");
    },
    "worktree-in-the-way",
  ],
  [
    "a missing but locked worktree",
    async (repo) => {
      const { work } = await repo.task();
      repo.git("worktree", "lock", "--reason", "on a stick", work.worktree);
      rmSync(work.worktree, { recursive: true });
    },
    "worktree-locked",
  ],
])("reports the problem: %s", async (_name, harm, code, target) => {
  const repo = taskRepository();
  await harm(repo);
  const { cwd, worktrees } = repo;
  await expect(prepareWork({ cwd, task: "T-1", worktrees, ...(target ? { target } : {}) })).rejects.toMatchObject({
    code,
    hint: expect.any(String),
  });
});
