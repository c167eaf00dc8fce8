import { expect, test } from "vitest";
import type { CheckResult, LoopEvent } from "../src/core/loop/events.ts";
import type { Stats } from "../src/core/stats/stats.ts";
import type { LoopRole } from "../src/core/task/role.ts";
import { inProcess } from "./support/in-process.ts";
import { onTerminal } from "./support/pty.ts";
import type { Sandbox } from "./support/sandbox.ts";
import { someSpec } from "./support/spec.ts";
import { inJournal, writeLoop } from "./support/task-loops.ts";
import { claimJudged, turnBegan, turnEnded } from "./support/turns.ts";
import { readXml } from "./support/xml.ts";

const EVIL = '</text><script>alert(1)</script> "Log in" & out';

const failing: CheckResult = {
  name: "npm test",
  command: "npm test",
  is: "fail",
  code: 1,
  reason: "exit code 1",
  excerpt: "",
  log: null,
  ms: 1,
};

const refusedThenVerified: LoopEvent[] = [
  turnBegan(1),
  turnEnded(1),
  claimJudged(1, { checks: [failing] }),
  turnBegan(2),
  turnEnded(2),
  claimJudged(2, {
    is: "pass",
    proof: "verified",
    checks: [{ ...failing, is: "pass", code: 0, reason: "exit code 0", since: "fixed" }],
  }),
  { type: "loop.stopped", reason: "verified", detail: "" },
];

/** As an earlier version wrote it: every completion was called verified. */
const earlierReview: LoopEvent[] = [
  turnBegan(1),
  turnEnded(1),
  claimJudged(1, { is: "pass" }),
  { type: "loop.stopped", reason: "verified", detail: "" },
];

const partOf = (task: string, place: LoopRole) =>
  someSpec({
    door: "pipeline",
    title: `${task} ${place}: x`,
    part: { task, place, execution: "e", description: "", method: "" },
    limits: { ...someSpec().limits, maxIterations: 15 },
  });

/** Two tasks with loops, one of them running, and a separate loop of a real agent. */
async function withTasks(): Promise<Sandbox> {
  const box = inProcess();
  box.write(
    "s.yaml",
    "iterations:\n  - say: <promise>DONE</promise>\n  - steps:\n      - write: { path: there, content: x }\n      - say: <promise>DONE</promise>\n",
  );
  const run = await box.ralph("run", "--prompt", "Own", "--scenario", "s.yaml", "--verify", "test -e there", "-q");
  expect(run.code).toBe(0);
  const task = { specId: "shop", description: "", priority: 1, dependencies: [], assignee: "", metadata: {} };
  await inJournal(box, async (store) => {
    const ids = ["TASK-001", "TASK-002"];
    const tasks = ids.map((id) => ({ ...task, id, title: EVIL, completionSpec: null }));
    await store.tasks.create(tasks, Date.now());
    await writeLoop(store, { id: "aaaa0001", spec: partOf("TASK-001", "coder"), events: refusedThenVerified });
    await writeLoop(store, { id: "aaaa0002", spec: partOf("TASK-001", "reviewer"), events: earlierReview });
    await writeLoop(store, {
      id: "aaaa0003",
      spec: partOf("TASK-002", "coder"),
      events: [turnBegan(1), turnEnded(1, { claim: null }), turnBegan(2)],
      atMs: Date.now() - 320_000,
    });
    // Long ago, and its task was deleted.
    const longAgo = Date.UTC(2020, 0, 1);
    await writeLoop(store, { id: "aaaa0004", spec: partOf("GONE", "qa"), events: refusedThenVerified, atMs: longAgo });
  });
  return box;
}

test("tables, JSON and charts show the same", async () => {
  const box = await withTasks();
  const all = (await box.json("stats")) as Stats;
  expect(all.totals).toMatchObject({
    loops: 5,
    verified: 3,
    levels: { verified: 3, judged: 0, "still-green": 0, "promise-only": 1 },
    running: 1,
    iterations: 8,
    costUsd: 3,
    claims: { accepted: 4, refused: 3, undecided: 0 },
  });
  expect(all.reasons).toMatchObject([
    { kind: "check", name: "npm test", times: 2 },
    { kind: "check", name: "test -e there", times: 1 },
  ]);
  const { stdout } = await box.ralph("stats");
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("3 tasks (0 done), 5 loops (3 verified, 1 promise-only, 1 not stopped), 8 iterations");
  expect(lines).toContain("7 claims: 4 accepted, 3 refused; 25 % of first claims accepted");
  expect(stdout).toMatch(/^TASK-001 +todo +1 +0 +3 +\$1\.50 +300 +\S+ +<\/text>/m);
  expect(stdout).toMatch(/^GONE +removed +2 +\$1\.00/m);
  expect(stdout).toMatch(/^own loops +2 .* \(1\)$/m);
  expect(stdout).toMatch(/^coder +1 +2 +2 +2$/m);
  expect(stdout).toMatch(/^reviewer +1 +1 +1 +1$/m);
  expect(stdout).toContain("Stopped: verified 3, promise-only 1");
  expect(stdout).toMatch(/^ +2 {2}check failed +npm test$/m);

  const byStage = await box.ralph("stats", "--by", "stage", "--spec", "shop", "--since", "1d");
  expect(byStage.stdout).toMatch(/^STAGE +LOOPS +COMPLETED +VERIFIED +PROMISE-ONLY +ITER /m);
  expect(byStage.stdout).toMatch(/^coder +2 +1 +1 +3 /m);
  expect(byStage.stdout).toMatch(/^reviewer +1 +1 +0 +1 +1 /m);
  expect(byStage.stdout).not.toMatch(/^qa|own loops/m);
  const reviewed = await box.ralph("stats", "--by", "iteration", "--task", "TASK-001");
  expect(reviewed.stdout).toMatch(/^aaaa0002 +TASK-001 +reviewer +1 +promise-only/m);
  expect(reviewed.stdout).toMatch(/^aaaa0001 +TASK-001 +coder +2 +verified/m);
  const byIteration = await box.ralph("stats", "--by", "iteration", "--task", "TASK-002");
  expect(byIteration.stdout).toMatch(/^aaaa0003 +TASK-002 +coder +1 +no-claim +\$0\.50/m);
  expect(byIteration.stdout).toMatch(/^aaaa0003 +TASK-002 +coder +2 +open/m);

  const charts = await box.ralph("stats", "--svg", "stats.svg", "--html", "stats.html");
  expect(charts).toMatchObject({ code: 0, stdout: "", stderr: "wrote stats.svg\nwrote stats.html\n" });
  const texts = readXml(box.read("stats.svg")).filter(({ name }) => name === "text");
  expect(texts.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["TASK-001", "$1.50", "npm test", "reviewer", "promise-only"]),
  );
  expect(box.read("stats.html")).not.toContain("<script");
  const { stdout: svg } = await box.ralph("stats", "--svg", "-", "--task", "TASK-001");
  expect(readXml(svg)[0]?.name).toBe("svg");
  expect(svg).toContain("Loops of task TASK-001");

  const { stdout: status } = await box.ralph("status");
  expect(status).toMatch(
    /^Active Ralph Loops:\n {2}TASK-002 \(coder\): iteration 2\/15, started 5m ago, driver gone \(.*\) {2}loop aaaa0003\n$/,
  );

  const backtest = await box.ralph("backtest");
  expect(backtest.stdout).toMatch(/^STAGE +LOOPS .*\ncoder +1 +1 \(100 %\) +1 \(100 %\) +2 \/ 2 \/ 2 +too few/m);
  if (process.platform !== "linux") return;
  const screen = await onTerminal(box, { columns: 80, rows: 50 }, "NO_COLOR=1", "stats").ended;
  expect(screen.stdout.split(/\r?\n/).filter((line) => line.length > 80)).toEqual([]);
});

test("a folder without loops has a friendly message, an empty chart, and no trace", async () => {
  const box = inProcess();
  expect(await box.ralph("stats")).toMatchObject({ code: 0, stdout: expect.stringContaining("No loops here yet") });
  const { stdout } = await box.ralph("stats", "--svg", "-");
  expect(readXml(stdout).map(({ text }) => text)).toContain("No loop has been completed yet.");
  expect(box.exists(box.state)).toBe(false);
});

test.concurrent.for<[string[], string]>([
  [["--task", "nothing"], "there is no task nothing"],
  [["--spec", "nothing"], "there is no spec nothing"],
  [["--since", "yesterday"], "Expected a duration above 0"],
  [["--by", "day"], "Allowed choices are task, stage, iteration"],
  [["--json", "--svg", "-"], "--json and --svg - both want standard output"],
  [["--svg", "x", "--html", "x"], "--svg and --html both name x"],
  [["--svg", "."], ". is a folder"],
  [["--svg", "no/such/folder.svg"], "create the folder first"],
])("ralph stats %j is refused with an explanation", async ([args, says], { onTestFinished }) => {
  const box = inProcess(onTestFinished);
  const { code, stderr } = await box.ralph("stats", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
