import { test } from "vitest";
import { pipeline } from "../support/pipeline.ts";

test.concurrent("the console shows what happened, what is wrong and what to do next", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, { ralph: { stages: ["coder", "reviewer", "tester"] } });
  const nothing = await box.ralph("execute");
  expect([nothing.code, nothing.stderr]).toEqual([0, expect.stringContaining("there are no tasks here yet")]);
  await box.task("A", { coder: "test -f A.txt", tester: "test -s A.txt" });
  await box.task("B", {}, "--coder-verify", "plugin:nope");
  await box.task("C", {}, "--depends-on", "B");
  expect((await box.ralph("why", "A")).stdout).toMatch(
    /^… todo: Task A \(A\)\n {2}decides next: an execution has to take it\n {2}next: ralph execute\n/,
  );
  expect((await box.ralph("why", "C")).stdout).toContain("decides next: it waits for B (todo)\n  next: ralph why B\n");
  // A missing plugin affects only its own task.
  const { code, stderr } = await box.ralph("execute", "--max-parallel", "1");
  expect(code).toBe(1);
  expect(plain(stderr)).toEqual([
    "ralph execute  coder → reviewer → tester → main",
    "  1 task at once · agent agent",
    "  iterations: 9 if every stage passes at once, at most 1080 (3 tasks × up to 30 iterations in all stages × 4 rounds × 3 attempts)",
    "  cost: not known before the first run; --max-cost <usd> sets a limit",
    "  ralph status: where they are · ralph logs -f <task>: what its agent prints",
    "B branch task/B, worktree <worktree>",
    "B coder begins (loop <id>)",
    "B ■ blocked: there is no plugin nope — .ralph/plugins has none; a package must be installed where the loop runs",
    "A branch task/A, worktree <worktree>",
    "A coder begins (loop <id>)",
    "A ! nothing that decides `test -f A.txt` could be protected: set a scope, the only paths that the agent may change (--scope 'src/**')",
    "A coder: ── iteration 1/15 ──",
    "A coder: claim: <promise>IMPLEMENTATION_COMPLETE</promise>",
    "A coder: ✓ commit done: <commit> A coder: Task A (iteration 1)",
    "A coder: ✓ check: test -f A.txt (exit code 0, <time>, fixed)",
    "A ✓ coder verified (nothing was protected) (1 iteration)",
    "A reviewer begins (loop <id>)",
    "A reviewer: ── iteration 1/5 ──",
    "A reviewer: review: approved",
    "A reviewer: claim: <promise>REVIEW_PASSED</promise>",
    "A ? reviewer promise-only (1 iteration)",
    "A tester begins (loop <id>)",
    "A ! nothing that decides `test -s A.txt` could be protected: set a scope, the only paths that the agent may change (--scope 'src/**')",
    "A tester: ── iteration 1/10 ──",
    "A tester: review: approved",
    "A tester: claim: <promise>TESTS_PASSED</promise>",
    "A tester: ✓ check: test -s A.txt (exit code 0, <time>, already passing)",
    "A ~ tester still-green (nothing was protected) (1 iteration)",
    "A merge: ✓ check: test -f A.txt (exit code 0, <time>)",
    "A merge: ✓ check: test -s A.txt (exit code 0, <time>)",
    "A ✓ done, verified: merged into main (<commit>)",
    "■ 2 not done: 1 done, 1 blocked, 1 todo (<time>)",
    "  merged 1, ✓ 1 verified (1 weakened: A)",
    "  B blocked: there is no plugin nope — .ralph/plugins has none; a package must be installed where the loop runs",
    "  C waits for B (blocked)",
    "  next: ralph why B · ralph execute --task B tries it again · ralph report",
    "",
  ]);
  // A task's id names its loop.
  expect((await box.ralph("why", "A")).stdout).toContain("  tester    ~ still-green (1 iteration, loop ");
  expect((await box.ralph("logs", "A")).stdout).toContain("<promise>TESTS_PASSED</promise>");
  expect((await box.ralph("resume", "A")).stderr).toContain("`ralph execute --task A` continues it");
  const receipt = await box.ralph("receipt", "show", "A");
  expect(receipt.stdout).toContain("A tester: Task A");
  expect(box.exists(box.worktree("A"))).toBe(false);
});

test.concurrent("a task whose agent cannot work says why", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, { ralph: { coder: { max_iterations: 2 }, max_attempts: 1 } });
  await box.task("A", { coder: "test -f A.txt" });
  box.write("auth.yaml", "iterations:\n  - fail: { kind: auth, detail: no key }\n");
  const out = await box.ralph("execute", "--agent", "scripted", "--scenario", "auth.yaml");
  expect([out.code, out.stderr]).toEqual([1, expect.stringContaining("A coder: the agent is not logged in: no key")]);
  expect(out.stderr).toContain("for another agent first `ralph cancel A`, then `ralph execute --task A`");
  expect((await box.ralph("cancel", "A")).code).toBe(0);
  // Another agent, which never promises anything; the submodule is empty in its worktree.
  box.git("update-index", "--add", "--cacheinfo", `160000,${box.git("rev-parse", "HEAD").trim()},lib`);
  box.git("config", "--file", ".gitmodules", "submodule.lib.path", "lib");
  box.git("add", ".gitmodules");
  box.git("commit", "--quiet", "-m", "submodule");
  box.plan("coder", "promise=");
  const { stderr } = await box.ralph("execute", "--task", "A");
  expect(stderr).toContain("! submodules are empty in the worktrees of tasks");
  expect(plain(stderr)).toContain("A coder: ended without its promise");
  expect((await box.ralph("cancel", "NOPE")).stderr).toContain("there is no loop and no task NOPE here");
  // An uncommitted folder is in no worktree.
  box.write("new/.ralph/settings.json", box.read(".ralph/settings.json"));
  await box.task("B", {});
  const inside = await box.shell('cd new && exec "$@"', "execute", "--task", "B").ended;
  expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining("new is not in main — commit it")]);
});

/** Without the parts that differ every time. */
const plain = (text: string): string[] =>
  text
    .replace(/worktree .*/g, "worktree <worktree>")
    .replace(/loop [0-9a-f]{8}/g, "loop <id>")
    .replace(/(commit done: |main \()[0-9a-f]{10}/g, "$1<commit>")
    .replace(/(?:\d+m )?[0-9.]+m?s([,)])/g, "<time>$1")
    .split("\n");
