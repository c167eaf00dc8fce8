import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { pipeline, worktreesIn } from "./support/pipeline.ts";
import { sandbox } from "./support/sandbox.ts";
import { digestOf } from "./support/task-repository.ts";

interface Outline {
  tasks: { id: string; after: string[]; left: string[]; stages: { place: string; maxIterations: number }[] }[];
  waiting: { task: string; why: string }[];
  forecast: { tasks: number; least: number; most: number };
}

test.concurrent("a dry run shows what would happen, and changes nothing", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, {
    verify: ["npm test"],
    guardrails: [{ command: "make lint" }],
    ralph: { max_attempts: 2, max_rounds: 1, coder: { max_iterations: 4 }, worktree: { setup: "make deps" } },
  });
  await box.ralph("task", "add", "Later", "First", "--spec", "demo");
  await box.ralph("task", "update", "TASK-001", "--depends-on", "TASK-002");
  await box.ralph("task", "add", "Never started", "Behind it", "--verify", "./own-check");
  await box.ralph("task", "update", "TASK-003", "--status", "cancelled");
  await box.ralph("task", "update", "TASK-004", "--depends-on", "TASK-003");
  box.git("commit", "--quiet", "--allow-empty", "-m", "more");
  box.write(".ralph/settings.json", box.read(".ralph/settings.json").replace("{", '{"checkTimeout": 7,'));
  const before = [digestOf(box.cwd), box.git("for-each-ref"), await box.json("task", "list")];
  const args = ["execute", "--dry-run", "--max-cost", "12", "--stages", "coder,tester"];
  const { code, stdout, stderr } = await box.ralph(...args);
  expect([code, stderr]).toEqual([0, ""]);
  for (const line of [
    /^tasks +1\. TASK-002 First$/m,
    /^ +2\. TASK-001 Later {2}\(after TASK-002\)$/m,
    /^ +→ done when: npm test$/m,
    /^not now +TASK-004 waits for TASK-003 \(cancelled\)$/m,
    /^stages +coder: at most 4 iterations$/m,
    /^agents +agent {2}<prompt on stdin>/m,
    /^set-up +make deps, in every worktree$/m,
    /^guardrails +make lint$/m,
    /^merge +coder → tester → checks on the merged result → main$/m,
    /main is checked out here with 1 changed file \(\.ralph\/settings\.json\)/,
    /^limits +2 attempts a task, .* 1 time an attempt, \$12\.00 \(--max-cost\), any duration$/m,
    /^iterations +4 if every .* at most 112 \(2 tasks × up to 14 iterations in all stages × 2 rounds × 2 attempts\)$/m,
    /^cost +at most \$12\.00/m,
  ])
    expect(stdout).toMatch(line);
  const outline = (await box.json(...args)) as Outline;
  expect(outline.tasks.map(({ id, after, left }) => [id, after, left])).toEqual([
    ["TASK-002", [], ["coder", "tester"]],
    ["TASK-001", ["TASK-002"], ["coder", "tester"]],
  ]);
  expect(outline).toMatchObject({
    target: { branch: "main", checkout: { files: [".ralph/settings.json"], busy: null } },
    waiting: [{ task: "TASK-004" }],
    forecast: { tasks: 2, least: 4, most: 112, limitUsd: 12, past: null },
    problems: [],
  });
  for (const named of [
    ["TASK-001", "TASK-002"],
    ["--task", "TASK-001,TASK-002"],
    ["TASK-001", "--task", "TASK-002"],
  ]) {
    const some = (await box.json("execute", "--dry-run", ...named)) as Outline;
    expect([some.tasks.map(({ id }) => id), some.waiting]).toEqual([["TASK-002", "TASK-001"], []]);
  }
  const alone = await box.ralph("execute", "--dry-run", "TASK-001");
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("ralph execute TASK-002 TASK-001")]);
  expect([digestOf(box.cwd), box.git("for-each-ref"), await box.json("task", "list")]).toEqual(before);
  expect([box.calls(), worktreesIn(box)]).toEqual([[], []]);
});

test.concurrent("what cannot start is described, too", async ({ expect, onTestFinished }) => {
  const box = sandbox(onTestFinished);
  box.initGit();
  const nothing = await box.ralph("execute", "--dry-run", "--agent", "missing");
  expect([nothing.code, existsSync(join(box.state, "ralph.db")), existsSync(box.state)]).toEqual([2, false, false]);
  expect(nothing.stdout).toMatch(/^Nothing to do: there are no tasks here yet\.\n.*ralph task add/m);
  expect(nothing.stderr).toMatch(/^warning: agent not found: missing\n {2}help: /);
  const task = await box.ralph("execute", "--dry-run", "--agent", "sh", "--task", "TASK-9");
  expect([task.code, task.stderr]).toEqual([2, expect.stringMatching(/^error: there is no task TASK-9\n {2}help: /)]);
});

test.concurrent("the number of iterations and the cost are shown before work starts", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, { ralph: { stages: ["coder"] } });
  await box.task("A", { coder: "test -f A.txt" });
  const { code, stderr } = await box.ralph("execute", "--max-parallel", "1");
  expect(code).toBe(0);
  const [head, ...lines] = stderr.split("\n");
  expect(head).toBe("ralph execute  coder → main");
  expect(lines.slice(0, 4).join("\n")).toMatch(/\n {2}iterations: 1 if every .* at most 180 .*\n {2}cost: not known/);
});
