import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test, vi } from "vitest";
import { openSqliteStore } from "../src/adapters/store/sqlite-store.ts";
import { full } from "./support/effort.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { PATIENT } from "./support/patience.ts";
import { pipeline } from "./support/pipeline.ts";

const file = (id: string) => ({ coder: `test -f ${id}.txt` });
const ONE_STAGE = { graceMs: 300, ralph: { stages: ["coder"] } };

test.concurrent("shows the tasks in work, and cancels one with all its processes", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  await box.task("TASK-001", file("TASK-001"));
  await box.task("TASK-002", file("TASK-002"), "--depends-on", "TASK-001");
  box.plan("TASK-001-coder", "sleep 600 & setsid sleep 601 & sleep 602");
  const running = box.start(["execute"]);
  await running.saw("iteration 1/15");
  const { stdout } = await box.run("node", box.ralphPath.replace("ralph.js", "specflow.js"), "ralph-status");
  expect(stdout).toMatch(/^Active Ralph Loops:\n {2}TASK-001 \(coder\): iteration 1\/15, started \S+ ago/);
  expect(await box.status("TASK-001")).toMatchObject({
    status: "implementing",
    iteration: 1,
    metadata: {
      ralph: { stage: "coder", iteration: 1, max_iterations: 15, completion_promise: "IMPLEMENTATION_COMPLETE" },
    },
  });
  const cancelled = await box.run("node", box.ralphPath.replace("ralph.js", "specflow.js"), "ralph-cancel", "TASK-001");
  expect([cancelled.code, cancelled.stdout]).toEqual([0, "Cancelled Ralph loop for TASK-001 at iteration 1/15\n"]);
  expect((await running.ended).code).toBe(1);
  await expectNothingLeft(box);
  expect(await box.status("TASK-001")).toMatchObject({ status: "todo", held: true });
  // Held until the user says otherwise, and nothing more to cancel.
  expect((await box.execute()).lines.at(-1)).toMatchObject({ tasks: {}, counts: { todo: 2 } });
  expect((await box.ralph("cancel", "TASK-001")).code).toBe(1);
  box.plan("TASK-001-coder", "touch TASK-001.txt");
  expect((await box.ralph("task", "update", "TASK-001", "--status", "todo")).code).toBe(0);
  expect((await box.execute()).code).toBe(0);
});

test.concurrent("Ctrl-C leaves nothing behind, and the next execution resumes", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  await box.task("A", file("A"));
  box.plan("coder", '[ "$n" -gt 1 ] || sleep 600; touch A.txt');
  const running = box.start(["execute"]);
  await running.saw("iteration 1/15");
  await vi.waitFor(() => expect(box.calls()).toEqual(["A coder"]), PATIENT);
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  await expectNothingLeft(box);
  const { loop } = await box.status("A");
  const { code, lines } = await box.execute();
  expect(code).toBe(0);
  expect(lines.filter(({ event }) => event?.type === "stage.began")).toEqual([]);
  expect((await box.status("A")).loop).toBe(loop);
});

test.concurrent("an execution stops when its budget is used up, and continues with more", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, { agent: undefined, ...ONE_STAGE });
  const scenario = (name: string, cost: number) =>
    box.write(
      `../${name}.yaml`,
      `iterations:\n  - steps:\n      - usage: { costUsd: ${cost} }\n      - run: mktemp made-XXXXXX\n      - say: <promise>IMPLEMENTATION_COMPLETE</promise>\n`,
    );
  for (const id of ["A", "B", "C"]) await box.task(id, { coder: "ls made-*" });
  const first = await box.execute("--scenario", scenario("dear", 2), "--max-cost", "3", "--max-parallel", "1");
  expect(first.code).toBe(1);
  expect(first.lines.at(-1)).toMatchObject({ stopped: { as: "budget" }, counts: { done: 1 }, spent: { costUsd: 4 } });
  const stops = first.lines.flatMap((line) =>
    line.type === "entry" && line.event?.type === "loop.stopped" ? [line.event.reason] : [],
  );
  expect(stops).toEqual(["verified", "budget"]);
  const second = await box.execute("--scenario", scenario("cheap", 1), "--max-cost", "3");
  expect(second.code).toBe(0);
  const slow = box.write("../slow.yaml", "iterations:\n  - wait: 60s\n");
  await box.task("D", { coder: "test -f never" });
  const third = await box.execute("--scenario", slow, "--max-duration", "1s");
  expect([third.code, third.lines.at(-1)?.stopped]).toMatchObject([1, { as: "budget" }]);
});

full.concurrent("two executions at once share a budget", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, { agent: undefined, ...ONE_STAGE });
  const gate = box.path("../gate");
  mkdirSync(gate);
  // Neither spends before both are running.
  const meet = `touch ${gate}/$(basename $PWD); until [ $(ls ${gate} | wc -l) -ge 2 ]; do sleep 0.05; done`;
  const scenario = box.write(
    "../meet.yaml",
    `iterations:\n  - steps:\n      - run: "${meet}; mktemp made-XXXXXX"\n      - usage: { costUsd: 1 }\n      - wait: 500ms\n`,
  );
  for (const id of ["A", "B"]) await box.task(id, { coder: "test -f never" });
  const args = ["--scenario", scenario, "--max-cost", "3", "--max-parallel", "1"];
  const ends = await Promise.all([box.execute(...args), box.execute(...args)]);
  for (const { lines } of ends) expect(lines.at(-1)).toMatchObject({ stopped: { as: "budget" } });
  const spent = ends.map(({ lines }) => (lines.at(-1)?.spent as { costUsd: number }).costUsd);
  // Three, and the work in progress when the third was spent; each alone would have spent three.
  expect(spent.reduce((a, b) => a + b)).toBeLessThan(6);
  expect(spent.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(3);
});

full.concurrent("two executions at once share the tasks", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  const ids = ["A", "B", "C", "D"];
  for (const id of ids) await box.task(id, file(id));
  // No agent continues before all four are running, two in each.
  box.plan("coder", 'echo x > "$task.txt"; until [ "$(wc -l < "$PLAN/calls")" -ge 4 ]; do sleep 0.05; done');
  const both = await Promise.all([1, 2].map(() => box.execute("--max-parallel", "2")));
  const done = both.map(({ lines }) => Object.keys((lines.at(-1)?.tasks ?? {}) as object));
  expect(done.map(({ length }) => length)).toEqual([2, 2]);
  expect(done.flat().sort()).toEqual(ids);
  expect(box.calls().sort()).toEqual(ids.map((id) => `${id} coder`));
  expect(box.git("log", "--first-parent", "--format=%s").match(/^Merge task/gm)).toHaveLength(4);
});

full.concurrent("a late request stops nothing", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, ONE_STAGE);
  const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  // The merge waits for the request, and the execution for its answer.
  const until = (name: string) => `until [ -e ${box.path(`../${name}`)} ]; do sleep 0.05; done`;
  const merge = `touch ${box.path("../merging")}; ${until("asked")}`;
  box.program("git", `case "$*" in merge\\ --ff-only*) ${merge} ;; esac\nexec ${git} "$@"`);
  for (const id of ["B", "C"]) await box.task(id, file(id));
  box.plan("C-coder", `${until("answered")}; touch C.txt`);
  const second = box.start(["execute"]);
  await vi.waitFor(() => expect(box.exists("../merging")).toBe(true), PATIENT);
  const cancel = box.ralph("cancel", "B");
  const store = await openSqliteStore(join(box.state, "ralph.db"));
  onTestFinished(store.close);
  await vi.waitFor(async () => expect(await store.inbox.requests({ kind: "task", id: "B" })).toHaveLength(1), PATIENT);
  box.write("../asked", "");
  // Too late: it is merged before the request is read.
  expect((await cancel).code).toBe(1);
  box.write("../answered", "");
  expect((await second.ended).code).toBe(0);
  expect([await box.status("B"), await box.status("C")]).toMatchObject([{ status: "done" }, { status: "done" }]);
});

full.concurrent(
  "a removed worktree is made again, from its branch or from the start",
  async ({ expect, onTestFinished }) => {
    const box = pipeline(onTestFinished, {
      graceMs: 300,
      ralph: { stages: ["coder", "tester"], worktree: { setup: "touch set-up" } },
    });
    box.write(".gitignore", "set-up\n");
    box.git("add", "-A");
    box.git("commit", "--quiet", "-m", "ignore");
    for (const id of ["A", "B"]) await box.task(id, { coder: `test -f ${id}.txt`, tester: "test -f set-up" });
    box.plan("tester", '[ "$n" -gt 1 ] || sleep 600');
    const first = box.start(["execute"]);
    await vi.waitFor(() => expect(box.calls()).toHaveLength(4), PATIENT);
    first.child.kill("SIGINT");
    await first.ended;
    for (const id of ["A", "B"]) rmSync(box.worktree(id), { recursive: true });
    box.git("worktree", "prune");
    box.git("branch", "-D", "task/B");
    expect((await box.execute()).code).toBe(0);
    const tail = ["A tester", "B coder", "B tester"];
    expect(box.calls().slice(4).sort()).toEqual(tail);
    expect(box.git("ls-tree", "--name-only", "main")).toContain("A.txt\nB.txt\n");
  },
);
