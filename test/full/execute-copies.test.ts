import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { factsOf, type Line, type PipelineSandbox, pipeline, worktreesIn } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

/** A coder that does its work, and a reviewer that always approves. */
function reviewed(finished: Finished, { role = "reviewer", ...more }: Record<string, unknown> = {}): PipelineSandbox {
  const how = { max_iterations: 2, verification_method: "string_match" };
  const box = pipeline(finished, {
    ...more,
    ralph: {
      max_attempts: 1,
      max_rounds: 1,
      stages: ["coder", role],
      coder: { max_iterations: 3 },
      reviewer: how,
      qa: how,
    },
  });
  box.write("src.txt", "one\n");
  box.write("snapshot.txt", "old\n");
  box.write(".gitignore", "build/\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "files");
  return box;
}

const endOf = (lines: readonly Line[], task: string, place: string) =>
  lines.findLast(({ event, ...line }) => line.task === task && event?.type === "stage.ended" && event.place === place)
    ?.event;

/** What a reviewer does to the work, and the reported change. */
const REFUSED: Record<string, [plan: string, named: string]> = {
  EDITED: ["echo two >> src.txt", "src.txt"],
  DELETED: ["rm src.txt", "src.txt"],
  STAGED: ["echo two >> src.txt; git add src.txt", "src.txt"],
  COMMITTED: ["echo two >> src.txt; git commit -qam mine", "src.txt, 1 commit"],
  COMMITTED_NEW: ["echo two > new.txt; git add -A; git commit -qm mine", "new.txt, 1 commit"],
  COMMITTED_BACK: ["echo two >> src.txt; git commit -qam mine; git checkout -q HEAD~1 -- src.txt", "src.txt, 1 commit"],
  ON_A_BRANCH: ["git checkout -q -b mine; echo two >> src.txt; git commit -qam mine", "src.txt, 1 commit"],
  HIDDEN: ["git update-index --assume-unchanged src.txt; echo two >> src.txt", "src.txt"],
  REPLACED: ["rm src.txt; mkdir src.txt; echo x > src.txt/x", "src.txt"],
  LEFT_BEHIND: ["git checkout -q HEAD~1", "LEFT_BEHIND.txt"],
  REMOVED: ['rm -rf ./* ./.git "$PWD"', "the whole copy"],
};

/** Harmless actions of a reviewer. */
const ACCEPTED: Record<string, [plan: string, named: string[] | undefined]> = {
  LOOKS: ["git log > /dev/null; git diff HEAD~1 > /dev/null", undefined],
  NOTES: [
    "echo notes > notes.md; mkdir -p coverage; echo x > coverage/index.html",
    ["coverage/ (new)", "notes.md (new)"],
  ],
  BUILDS: ["mkdir -p build; echo x > build/out", undefined],
  STASHES: ["echo two >> src.txt; git checkout -q src.txt", undefined],
  INNER: ["git init -q inner; echo x > inner/x", ["inner/ (new)"]],
  ONCE: ['[ "$n" -gt 1 ] || echo two >> src.txt', ["src.txt"]],
  MERGING: [
    '[ "$n" -gt 1 ] || { git checkout -q -b other HEAD~1; echo other > MERGING.txt; git add -A; git commit -qm other; git merge -q "task/$task"; }',
    ["MERGING.txt", "1 commit"],
  ],
};

test.concurrent("an approval of files that the reviewer changed is refused, and none of it is merged", async ({
  expect,
  onTestFinished,
}) => {
  const box = reviewed(onTestFinished);
  for (const [id, [plan]] of Object.entries(REFUSED)) {
    box.plan(`${id}-reviewer`, plan);
    await box.task(id, { coder: `test -f ${id}.txt` });
  }
  const { lines } = await box.execute("--max-parallel", "2");
  expect(lines.at(-1)?.tasks).toEqual(Object.fromEntries(Object.keys(REFUSED).map((id) => [id, "blocked"])));
  for (const [id, [, named]] of Object.entries(REFUSED)) {
    const reason = expect.stringContaining(`files of the work were changed during the review (${named})`);
    expect(await box.status(id), id).toMatchObject({ metadata: { ralph_failure: { reason } } });
    expect(endOf(lines, id, "reviewer")?.discarded, id).toEqual(expect.arrayContaining(named.split(", ")));
    // The branch has only the coder's work, and its worktree is unchanged.
    expect(box.git("diff", "--name-only", "main", `task/${id}`), id).toBe(`${id}.txt\n`);
    expect(box.git("-C", box.worktree(id), "status", "--porcelain"), id).toBe("");
  }
  expect(worktreesIn(box).filter((name) => name.includes("~"))).toEqual([]);
  expect(box.git("worktree", "list")).not.toContain("~copy");
});

test.concurrent("files that a reviewer leaves behind are discarded and reported once", async ({
  expect,
  onTestFinished,
}) => {
  const box = reviewed(onTestFinished);
  for (const [id, [plan]] of Object.entries(ACCEPTED)) {
    box.plan(`${id}-reviewer`, plan);
    await box.task(id, { coder: `test -f ${id}.txt` });
  }
  const { code, stdout, stderr } = await box.ralph("execute", "--max-parallel", "2");
  expect(code, stdout).toBe(0);
  const told = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("changed its copy"));
  for (const [id, [, named]] of Object.entries(ACCEPTED)) {
    const said = told.filter((line) => line.includes(`${id} `));
    expect(said, id).toHaveLength(named ? 1 : 0);
    for (const name of named ?? []) expect(said[0], id).toContain(name);
  }
  const files = box.git("ls-tree", "-r", "--name-only", "main").trim().split("\n");
  expect(files.filter((path) => !path.startsWith("."))).toEqual(
    [...Object.keys(ACCEPTED).map((id) => `${id}.txt`), "snapshot.txt", "src.txt"].sort(),
  );
  expect(box.read("src.txt")).toBe("one\n");
});

test.concurrent("qa works on a copy, too; changes by Ralph's commands there are not counted against it", async ({
  expect,
  onTestFinished,
}) => {
  const box = reviewed(onTestFinished, { role: "qa", guardrails: [{ command: "date +%N > snapshot.txt" }] });
  box.plan("EDITS-qa", "echo two >> src.txt");
  box.plan("CHECKS-qa", "echo notes > notes.md");
  await box.task("EDITS", { coder: "test -f EDITS.txt", qa: "true" });
  // The check sees the commit, without the notes, and changes it.
  const check = "! grep -q two src.txt && test ! -e notes.md && echo more >> src.txt";
  await box.task("CHECKS", { coder: "test -f CHECKS.txt", qa: check });
  const blocked = await box.execute("--task", "EDITS");
  expect(blocked.lines.at(-1)?.tasks).toEqual({ EDITS: "blocked" });
  const done = await box.execute("--task", "CHECKS");
  expect(done.lines.at(-1)?.tasks).toEqual({ CHECKS: "done" });
  expect(endOf(done.lines, "CHECKS", "qa")).toMatchObject({ iterations: 1, discarded: ["notes.md (new)"] });
  expect(box.git("show", "main:src.txt")).toBe("one\n");
});

test.concurrent("a copy is set up like the task's worktree", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, {
    ralph: {
      stages: ["coder", "reviewer"],
      reviewer: { verification_method: "external", verification_config: { command: "test -f .tool && test -f seen" } },
      worktree: { setup: "echo x > .tool; echo x >> seen; echo x >> seen2" },
    },
  });
  box.write(".gitignore", ".tool\n");
  box.write("seen", "tracked\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "files");
  // The setup changes a tracked file and leaves one that is not ignored: neither is the reviewer's.
  box.plan("reviewer", 'test -f .tool || approve=; [ "$(cat seen)" = "$(git show HEAD:seen)" ] || approve=');
  await box.task("A", { coder: "test -f A.txt" });
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(endOf(lines, "A", "reviewer")).not.toHaveProperty("discarded");
});

/** Ways to reach the task's own work from a copy. */
const BESIDE: Record<string, string> = {
  BRANCH: 'git update-ref "refs/heads/task/$task" "$(git commit-tree -p HEAD -m sly "$(git rev-parse HEAD~1^{tree})")"',
  WORKTREE: 'echo sly >> "$PWD/../$task/src.txt"',
  COMMIT: 'cd "$PWD/../$task"; echo sly >> src.txt; git commit -qam sly; cd - > /dev/null',
  FORCED:
    '[ "$n" -gt 1 ] || { git checkout -q --ignore-other-worktrees "task/$task"; git commit -q --allow-empty -m sly; }',
  NEW: 'echo sly > "$PWD/../$task/sly.txt"',
  RESET: 'git -C "$PWD/../$task" reset -q --hard HEAD~1',
};

test.concurrent("a reviewer that changes the task's own branch or worktree is detected", async ({
  expect,
  onTestFinished,
}) => {
  const box = reviewed(onTestFinished);
  for (const [id, plan] of Object.entries(BESIDE)) {
    box.plan(`${id}-reviewer`, plan);
    await box.task(id, { coder: `test -f ${id}.txt` });
  }
  const { lines } = await box.execute("--max-parallel", "2");
  for (const id of Object.keys(BESIDE)) expect(factsOf(lines, id), id).toContain("merge.refused");
  expect(factsOf(lines, "BRANCH")).not.toContain("task.merged");
  expect(box.git("show", "main:src.txt")).toBe("one\n");
});

test.concurrent("killed during its review, a task continues and its copy is removed", async ({
  expect,
  onTestFinished,
}) => {
  const box = reviewed(onTestFinished, { role: "qa" });
  await box.task("A", { coder: "test -f A.txt" });
  const copy = join(box.state, "worktrees", "A~copy");
  box.plan(
    "qa",
    'echo "$PWD" > "$PLAN/where"; echo two >> src.txt; [ -f "$PLAN/on" ] || sleep 600; git checkout -q src.txt',
  );
  const { child, ended } = box.start(["execute", "--quiet"]);
  await expect.poll(() => existsSync(join(box.cwd, "../plan/where"))).toBe(true);
  expect(box.read(join(box.cwd, "../plan/where")).trim()).toBe(copy);
  child.kill("SIGKILL");
  await ended;
  expect(existsSync(copy)).toBe(true);
  box.plan("on", "");
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(lines.at(-1)?.tasks).toEqual({ A: "done" });
  expect(endOf(lines, "A", "qa")).not.toHaveProperty("discarded");
  expect(worktreesIn(box)).toEqual([]);
  expect(box.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(box.git("show", "main:src.txt")).toBe("one\n");
});

test.concurrent("an abandoned copy is removed by the next execution", async ({ expect, onTestFinished }) => {
  const box = reviewed(onTestFinished);
  await box.task("A", { coder: "test -f A.txt" });
  box.plan("reviewer", 'touch "$PLAN/there"; sleep 600');
  const { child, ended } = box.start(["execute", "--quiet"]);
  await expect.poll(() => existsSync(join(box.cwd, "../plan/there"))).toBe(true);
  child.kill("SIGKILL");
  await ended;
  expect((await box.ralph("cancel", "A")).code).toBe(0);
  await box.execute();
  expect(worktreesIn(box)).toEqual(["A"]);
  expect(box.git("worktree", "list")).not.toContain("~copy");
});
