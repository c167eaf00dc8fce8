import { existsSync } from "node:fs";
import { test } from "vitest";
import { factsOf, pipeline } from "./support/pipeline.ts";

test.concurrent("a set-up that fails stops the execution once, and the next one tries it again", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, {
    ralph: { stages: ["coder"], worktree: { setup: "cat ../../../ready || { echo registry down; exit 7; }" } },
  });
  for (const id of ["A", "B", "C"]) await box.task(id, { coder: `test -f ${id}.txt` });
  const { code, stdout, stderr } = await box.ralph("execute", "--max-parallel", "2");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.match(/^error: .*could not be set up.*exit code 7$/gm)).toHaveLength(1);
  expect(stderr).toMatch(/^ {2}\| .*registry down$/m);
  expect(stderr).toMatch(/^ {2}help: .*`ralph execute` tries it again/m);
  expect(stderr).not.toContain("blocked");
  expect(existsSync(/the whole output is in ([^;]+);/.exec(stderr)?.[1] ?? "")).toBe(true);
  expect(box.calls()).toEqual([]);
  box.write("../ready", "now");
  const again = await box.execute();
  expect([again.code, again.lines.at(-1)]).toMatchObject([0, { counts: { done: 3 }, failure: null }]);
});

test.concurrent("tasks in work are finished first; what a task itself broke blocks only that task", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, { ralph: { stages: ["coder"], worktree: { setup: "set-up" } } });
  // Like an installer, it reads a file of the repository.
  box.program("set-up", 'case "$PWD" in */B) exit 1;; esac; ! grep -q broken package.json');
  box.write("package.json", "{}");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "packages");
  await box.task("A", { coder: "test -f A.txt" }, "--priority", "1");
  await box.task("B", { coder: "test -f B.txt" }, "--priority", "2");
  await box.task("C", { coder: "test -f C.txt" });
  // Its agent works until the other set-up has failed.
  box.plan("A-coder", `until [ -f "${box.state}/tasks/B/setup.log" ]; do sleep 0.1; done; sleep 1; echo work > A.txt`);
  const first = await box.execute("--max-parallel", "2");
  expect(first.code).toBe(1);
  expect(first.lines.at(-2)).toMatchObject({
    tasks: { A: "done", B: "left" },
    failure: { code: "setup-failed", message: expect.stringContaining("set-up: exit code 1") },
  });
  expect(first.lines.at(-1)).toMatchObject({ type: "error", code: "setup-failed" });
  expect(factsOf(first.lines, "C")).toEqual([]);

  box.program("set-up", "! grep -q broken package.json");
  box.plan("B-coder", "echo '{\"broken\": 1}' > package.json; echo work > B.txt");
  const second = await box.execute();
  expect([second.code, second.lines.at(-1)]).toMatchObject([1, { tasks: { B: "blocked", C: "done" }, failure: null }]);
});
