import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "./support/json-lines.ts";
import { expectRefusal } from "./support/refusal.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "echo '<promise>DONE</promise>'";
const RUN = ["run", "Add a file", "--agent", "worker", "--worktree"];

function repository(worker: string): Sandbox {
  const box = sandbox();
  box.initGit();
  box.write("base.txt", "base\n");
  box.write(".gitignore", "set-up\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "base");
  box.program("worker", worker);
  return box;
}

const worktreeOf = (box: Sandbox, name: string): string => join(box.state, "worktrees", `ralph~${name}`);
const subjects = (box: Sandbox, branch: string): string[] => box.git("log", "--format=%s", branch).trim().split("\n");

test("a loop in a worktree of its own leaves the checkout alone", { timeout: 120_000 }, async () => {
  const box = repository(`pwd > where.txt; echo x > new.txt; ${DONE}`);
  box.write(".ralph/settings.json", '{"ralph": {"worktree": {"setup": "touch set-up"}}}');
  box.write("base.txt", "mine\n");
  const run = await box.ralph(...RUN, "--verify", "test -e new.txt && test -e set-up");
  const branch = /branch: (ralph\/add-a-file-[0-9a-f]{8}) \(1 commit\), in (.*)/.exec(run.stderr);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain(
    "uncommitted changes are not in the worktree, which starts from the last commit: base.txt",
  );
  const [, name = "", root = ""] = branch ?? [];
  expect(run.stderr).toContain(`diff: git diff main...${name} · merge: git merge ${name}`);
  expect(box.read("base.txt")).toBe("mine\n");
  expect(box.exists("new.txt")).toBe(false);
  expect(box.git("show", `${name}:where.txt`).trim()).toBe(root);
  expect(box.git("show", `${name}:base.txt`)).toBe("base\n");
  expect(box.git("ls-tree", "--name-only", name).trim().split("\n")).toEqual([
    ".gitignore",
    "base.txt",
    "new.txt",
    "where.txt",
  ]);
  expect(subjects(box, name)).toEqual(["Add a file", "base", "start"]);
  const id = name.slice(-8);
  expect(await box.json("status", id)).toMatchObject({ reason: "verified" });
  expect((await box.ralph("why")).stdout).toContain("verified");
  expect(box.exists(`.ralph/receipts/${id}.json`)).toBe(true);

  const listed = {
    loop: id,
    branch: name,
    worktree: root,
    ahead: 1,
    merged: false,
    uncommitted: 0,
    status: "verified",
  };
  expect(await box.json("worktrees")).toMatchObject([listed]);
  expect((await box.ralph("worktrees", "prune")).stdout).toContain(`kept: ${name}: not merged into main`);
  box.git("merge", "--quiet", name);
  expect((await box.ralph("worktrees", "prune")).stdout).toContain(`removed: ${name} and ${root}`);
  expect([existsSync(root), box.git("branch", "--list", "ralph/*")]).toEqual([false, ""]);
});

test("a completed loop is merged, checked again if its target has moved", { timeout: 240_000 }, async () => {
  const box = repository(`echo x > new.txt; ${DONE}`);
  const merged = await box.ralph(...RUN, "--merge", "--verify", "test -e new.txt");
  expect([merged.code, merged.stderr]).toEqual([0, expect.stringContaining("merged into main")]);
  expect([box.read("new.txt"), subjects(box, "main")[0], box.git("branch", "--list", "ralph/*")]).toEqual([
    "x\n",
    "Add a file",
    "",
  ]);

  // The target moves while the agent works.
  const beside = (file: string) => `(cd '${box.cwd}' && echo theirs > ${file} && git add . && git commit -qm theirs)`;
  box.program("worker", `echo y > y.txt; ${beside("theirs.txt")}; ${DONE}`);
  const again = await box.ralph(
    "run",
    "Second",
    "--agent",
    "worker",
    "--worktree=second",
    "--merge",
    "--verify",
    "ls *.txt",
  );
  expect(again.stderr).toContain("main has moved on: the checks run again on the merged result");
  expect([again.code, subjects(box, "main")[0]]).toEqual([0, "Merge ralph/second: Second"]);
  expect([box.exists("y.txt"), box.exists("theirs.txt")]).toEqual([true, true]);

  box.program("worker", `echo z > z.txt; ${beside("bad.txt")}; ${DONE}`);
  const args = ["run", "Third", "--agent", "worker", "--worktree=third", "--merge", "--json"];
  const refused = await box.ralph(...args, "--verify", "test ! -e bad.txt && test -e z.txt");
  const end = {
    branch: "ralph/third",
    merged: false,
    ahead: 1,
    why: expect.stringContaining("does not pass: exit code 1"),
  };
  expect(refused.code).toBe(1);
  expect(linesOf(refused.stdout)).toContainEqual(expect.objectContaining({ type: "worktree", ...end }));
  // Nothing of the attempt stays; once the cause is gone, resuming the loop merges it.
  expect(subjects(box, "ralph/third")[0]).toBe("Third");
  box.git("rm", "--quiet", "bad.txt");
  box.git("commit", "--quiet", "-m", "fixed");
  expect((await box.ralph("resume")).code).toBe(0);
  expect([box.exists("z.txt"), subjects(box, "main")[0]]).toEqual([true, "Merge ralph/third: Third"]);

  box.program("worker", `echo mine > base.txt; ${beside("base.txt")}; ${DONE}`);
  const conflicted = await box.ralph(
    "run",
    "Fourth",
    "--agent",
    "worker",
    "--worktree=fourth",
    "--merge",
    "--verify",
    "grep -q mine base.txt",
  );
  expect([conflicted.code, conflicted.stderr]).toEqual([
    1,
    expect.stringContaining("it conflicts with main in base.txt"),
  ]);
  expect(box.git("show", "ralph/fourth:base.txt")).toBe("mine\n");
});

test("an interrupted loop is resumed in its worktree", { timeout: 120_000 }, async () => {
  const box = repository("echo half > half.txt; echo ready; sleep 60");
  const run = box.start([...RUN, "--verify", "test -e half.txt"]);
  await run.saw("ready");
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  const [listed] = (await box.json("worktrees")) as { uncommitted: number; status: string; worktree: string }[];
  expect(listed).toMatchObject({ uncommitted: 1, status: "interrupted" });
  box.program("worker", DONE);
  const resumed = await box.ralph("resume");
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("(1 commit)")]);
  expect(existsSync(join(listed?.worktree ?? "", "half.txt"))).toBe(true);
  expect(box.exists("half.txt")).toBe(false);
});

test("a worktree that cannot be is refused, and nothing of it stays", { timeout: 120_000 }, async () => {
  const box = repository(DONE);
  expectRefusal(await box.ralph("run", "x", "--agent", "worker", "--merge"), /--merge merges a worktree/);
  expectRefusal(await box.ralph("run", "x", "--agent", "worker", "--worktree=a b"), /cannot be the name of a worktree/);
  expectRefusal(await box.ralph("run", "x", "--agent", "./no-agent", "--worktree"), /no-agent/);
  box.write(".ralph/settings.json", '{"ralph": {"worktree": {"setup": "exit 3"}}}');
  expectRefusal(await box.ralph(...RUN, "-q"), /could not be set up: .*exit code 3/s);
  box.git("branch", "ralph/mine");
  expectRefusal(await box.ralph("run", "x", "--agent", "worker", "--worktree=mine"), /ralph\/mine already exists/);
  expect(box.git("branch", "--list", "ralph/*").trim()).toBe("ralph/mine");
  expect(existsSync(worktreeOf(box, "mine"))).toBe(false);
  const outside = sandbox();
  outside.program("worker", DONE);
  expectRefusal(await outside.ralph(...RUN), /not one/);
});
