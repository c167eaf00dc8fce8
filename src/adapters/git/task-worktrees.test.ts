import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Place, taskRepository } from "../../../test/support/task-repository.ts";
import { branchState, dropAside, removable, removeMerged, taskBranches } from "./task-worktrees.ts";

type Repository = ReturnType<typeof taskRepository>;

async function merged(repo: Repository) {
  const { work, at } = await repo.task();
  at.commit({ "c.txt": "c\n" });
  repo.git("merge", "--quiet", "--no-ff", "-m", "merged", work.branch);
  const request = { cwd: repo.cwd, task: "T-1", target: "main", worktrees: repo.worktrees };
  return { work, at, remove: () => removeMerged(request), look: () => removable(request) };
}

test("merged work is removed with everything made for it; a second run finds nothing", async () => {
  const repo = taskRepository();
  const { work, at, remove, look } = await merged(repo);
  at.write(".ralph/receipts/1.json", "{}");
  at.write(".ralph/.gitignore", "x");
  repo.git("update-ref", "refs/ralph/aside/T-1/1", "HEAD");
  expect(await look()).toMatchObject({ is: "removable" });
  expect(existsSync(work.worktree)).toBe(true);
  expect(await remove()).toEqual({ is: "removed" });
  expect(existsSync(work.worktree)).toBe(false);
  expect(repo.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/ralph/aside/T-1/1");
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(await remove()).toEqual({ is: "gone" });
  expect(await taskBranches(repo.cwd)).toEqual([
    { task: "T-1", branch: "task/T-1", head: null, worktree: null, aside: ["refs/ralph/aside/T-1/1"] },
  ]);
  expect(await dropAside(repo.cwd, ["refs/ralph/aside/T-1/1"])).toBe(1);
  expect(await taskBranches(repo.cwd)).toEqual([]);
});

test.each<[string, (repo: Repository, at: Place) => unknown, RegExp]>([
  ["a commit that the target does not have", (_repo, at) => at.commit({ "d.txt": "d\n" }), /^not merged into main$/],
  ["a changed file", (_repo, at) => at.write("a.txt", "changed\n"), /uncommitted in its worktree: a\.txt/],
  ["a new file", (_repo, at) => at.write("sub/new.txt", "new\n"), /uncommitted in its worktree: sub\/new\.txt/],
  ["user code in .ralph", (_repo, at) => at.write(".ralph/plugin.mjs", ""), /plugin\.mjs/],
  ["a lock", (repo, at) => repo.git("worktree", "lock", at.cwd), /locked/],
  ["a bisect", (_repo, at) => at.git("bisect", "start"), /a bisect is in progress/],
  [
    "a commit on no branch",
    (_repo, at) => {
      at.git("checkout", "--quiet", "--detach");
      at.commit({ "d.txt": "d\n" });
    },
    /is at a commit that is not merged/,
  ],
  [
    "a checkout of the user's",
    (repo, at) => {
      repo.git("worktree", "remove", at.cwd);
      repo.git("worktree", "add", "--quiet", join(repo.home, "mine"), "task/T-1");
    },
    /checked out in .*mine/,
  ],
])("%s keeps everything", async (_name, harm, why) => {
  const repo = taskRepository();
  const { work, at, remove } = await merged(repo);
  harm(repo, at);
  const refs = repo.git("for-each-ref");
  expect(await remove()).toEqual({ is: "kept", why: expect.stringMatching(why) });
  expect(repo.git("for-each-ref")).toBe(refs);
  if (!/user/.test(_name)) expect(existsSync(join(work.worktree, "c.txt"))).toBe(true);
});

test("reports the progress of a branch, and the content of its worktree", async () => {
  const repo = taskRepository();
  const { at } = await repo.task();
  at.commit({ "c.txt": "c\n" });
  at.commit({ "d.txt": "d\n" });
  at.write("e.txt", "");
  repo.git("branch", "task/no/task");
  const found = await taskBranches(repo.cwd);
  expect(found.map(({ task, branch, worktree }) => [task, branch, worktree?.path ?? null])).toEqual([
    ["T-1", "task/T-1", at.cwd],
    [null, "task/no/task", null],
  ]);
  const [mine, other] = found;
  if (!mine || !other) throw new Error("not found");
  expect(await branchState(repo.cwd, mine, "main")).toEqual({ ahead: 2, merged: false, uncommitted: ["e.txt"] });
  expect(await branchState(repo.cwd, other, "main")).toEqual({ ahead: 0, merged: true, uncommitted: [] });
  expect(await branchState(repo.cwd, mine, "nowhere")).toMatchObject({ ahead: null });
  // A missing folder has no uncommitted changes; an unmerged branch is still kept.
  rmSync(at.cwd, { recursive: true });
  expect(await branchState(repo.cwd, mine, "main")).toEqual({ ahead: 2, merged: false, uncommitted: [] });
});
