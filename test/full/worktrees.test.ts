import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareWork } from "../../src/adapters/git/task-branch.ts";
import { leasesIn } from "../../src/adapters/store/lease.ts";
import { openSqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { TaskEvent } from "../../src/core/task/events.ts";
import { taskKind } from "../../src/core/task/kind.ts";
import { openLedger } from "../../src/engine/ledger.ts";
import { inProcess } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { placeAt } from "../support/task-repository.ts";

const NEW = {
  specId: "s",
  description: "",
  priority: 1,
  dependencies: [],
  assignee: "",
  metadata: {},
  completionSpec: null,
};

/** A task with a worktree and a commit, as an execution would leave it. */
async function taskOf(box: Sandbox, id: string, ...more: readonly TaskEvent[]) {
  const store = await openSqliteStore(join(box.state, "ralph.db"));
  try {
    await store.tasks.create([{ ...NEW, id, title: `Task ${id}` }], 1);
    const work = await prepareWork({ cwd: box.cwd, task: id, target: "main", worktrees: join(box.state, "worktrees") });
    const at = placeAt(work.worktree);
    at.commit({ [`${id}.txt`]: id });
    const limits = { maxAttempts: 3, maxRounds: 3 };
    const events: TaskEvent[] = [
      { type: "task.taken", execution: "e", stages: ["coder"], limits },
      { type: "work.prepared", work, fingerprints: {} },
      ...more,
    ];
    await openLedger(taskKind, await store.tasks.load(id), { now: () => 2, store: store.tasks }).write(...events);
    return { work, at };
  } finally {
    store.close();
  }
}

test("worktrees are listed with their content, and only finished and merged ones are pruned", async () => {
  const box = inProcess();
  box.initGit();
  expect(await box.ralphProcess("worktrees")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No task or loop has"),
  });
  const head = box.git("rev-parse", "HEAD").trim();
  const done: TaskEvent[] = [
    { type: "work.updated", onto: head, head, conflicts: [], fingerprints: {} },
    { type: "task.merged", commit: head },
  ];
  const merged = await taskOf(box, "DONE-1", ...done);
  const dirty = await taskOf(box, "DIRTY-1", ...done);
  const driven = await taskOf(box, "DRIVEN-1", ...done);
  const ahead = await taskOf(box, "AHEAD-1");
  const working = await taskOf(box, "WORK-1");
  for (const { work } of [merged, dirty, driven, working])
    box.git("merge", "--quiet", "--no-ff", "-m", "x", work.branch);
  dirty.at.write("left.txt", "mine\n");
  box.git("branch", "task/mine");
  box.git("update-ref", "refs/ralph/aside/DONE-1/1", "HEAD");
  const lease = await leasesIn(join(box.state, "leases")).take({ kind: "task", id: "DRIVEN-1" });
  try {
    const list = (await box.json("worktrees", "list")) as Record<string, unknown>[];
    expect(Object.fromEntries(list.map((view) => [view.branch, view]))).toMatchObject({
      "task/DONE-1": {
        task: "DONE-1",
        title: "Task DONE-1",
        status: "done",
        target: "main",
        merged: true,
        ahead: 0,
        uncommitted: 0,
        driven: false,
        worktree: merged.work.worktree,
        aside: ["refs/ralph/aside/DONE-1/1"],
      },
      "task/DIRTY-1": { status: "done", merged: true, uncommitted: 1 },
      "task/DRIVEN-1": { driven: true },
      "task/AHEAD-1": { status: "implementing", merged: false, ahead: 1 },
      "task/mine": { task: null, status: null, merged: true },
    });
    const before = box.git("for-each-ref");
    const dry = await box.ralph("worktrees", "prune", "--dry-run");
    expect(dry.stdout).toContain(
      `would be removed: task/DONE-1 and ${merged.work.worktree}; what was set aside stays: refs/ralph/aside/DONE-1/1`,
    );
    expect(box.git("for-each-ref")).toBe(before);
    const pruned = (await box.json("worktrees", "prune")) as {
      branches: { branch: string; is: string; why: string | null }[];
    };
    expect(Object.fromEntries(pruned.branches.map(({ branch, why }) => [branch, why]))).toEqual({
      "task/AHEAD-1": "the task is implementing",
      "task/DIRTY-1": expect.stringContaining("uncommitted in its worktree: left.txt (commit: git -C "),
      "task/DONE-1": null,
      "task/DRIVEN-1": "it is being worked on",
      "task/WORK-1": "the task is implementing",
      "task/mine": "belongs to no task here",
    });
    expect(box.git("branch", "--list", "task/*", "--format=%(refname:short)").trim().split("\n")).toEqual([
      "task/AHEAD-1",
      "task/DIRTY-1",
      "task/DRIVEN-1",
      "task/WORK-1",
      "task/mine",
    ]);
    expect([dirty.at.read("left.txt"), ahead.at.read("AHEAD-1.txt")]).toEqual(["mine\n", "AHEAD-1"]);
    expect(box.git("for-each-ref", "refs/ralph/aside")).toContain("DONE-1/1");
    expect((await box.ralph("worktrees", "prune", "--aside")).stdout).toContain("removed: task/DONE-1");
    expect(box.git("for-each-ref", "refs/ralph/aside")).toBe("");
  } finally {
    lease?.release();
  }
});

test("outside a repository it says so", async () => {
  const box = inProcess();
  expect(await box.ralph("worktrees", "prune")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("needs a git repository"),
  });
});
