import { cpSync, existsSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { PATIENT } from "../support/patience.ts";
import { type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import { openScreen, ralphScreen, type TestScreen } from "../support/screen.ts";

const RESTORED = { isAlternate: false, marksPastes: false, wraps: true, hidesCursor: false };
const size = { columns: 140, rows: 40 };

/** An execution whose two agents print a line and wait until a file exists. */
async function atWork(): Promise<PipelineSandbox> {
  const box = pipeline();
  const wait = `while [ ! -e '${box.path("go")}' ]; do sleep 0.05; done`;
  box.plan("coder", `echo "\\033]0;title\\007looking at $task"; echo work > "$task.txt"; ${wait}`);
  for (const id of ["T-1", "T-2"]) await box.task(id, { coder: "true" });
  box.start(["execute", "-q", "--stages", "coder", "--max-parallel", "2"]);
  await vi.waitFor(() => expect(box.calls()).toHaveLength(2), PATIENT);
  return box;
}

test("while agents work it shows them, their output, and why; and cancels one task only after y", async () => {
  const box = await atWork();
  const screen = ralphScreen(box, ["board"], { size });
  await screen.shows(/Implementing 2[\s\S]*Coder \(1\/15\)[\s\S]*Slot 1: coder[\s\S]*Slot 2: coder/);
  screen.press("tab", "enter");
  await screen.shows(/Task T-\d · [\s\S]*Stages[\s\S]*Live output\s+looking at T-\d/);
  screen.press("enter");
  await screen.shows(/Loop \w+ · [\s\S]*claim → guards → guardrails → verdict\s+▾ +1/);
  screen.press("t");
  await screen.shows(/Output of loop \w+[\s\S]*looking at T-\d/);
  screen.press("escape");
  await screen.shows("Iterations");
  screen.press("w");
  await screen.shows(/Why: loop/);
  screen.press("escape");
  await screen.shows("Iterations");
  screen.press("escape");
  await screen.shows("Stages");
  screen.press("escape");
  await screen.shows("Implementing 2");
  screen.press("c");
  await screen.shows(
    /Cancel what\?\s+t +cancel the work on (T-\d): stops its agent \(coder.*\s+e +cancel execution \w+: stops T-\d, T-\d/,
  );
  screen.press("t");
  await screen.shows(/Are you sure\?\s+y +cancel the work on T-\d/);
  screen.press("n");
  await screen.shows("Nothing was cancelled.");
  expect(await box.status("T-1")).toMatchObject({ status: "implementing", held: false });
  screen.press("c", "t", "y");
  await screen.shows(/Cancelled task T-\d; it is held in Todo/);
  await screen.shows(/Todo 1[\s\S]*held/);
  const tasks = await Promise.all(["T-1", "T-2"].map((id) => box.status(id)));
  expect(tasks.filter(({ held }) => held)).toHaveLength(1);
  screen.press("tab", "h", "r");
  await screen.shows(/T-\d is in Todo again/);
  screen.press("q");
  expect(await screen.ended).toMatchObject({ code: 0 });
  // What runs keeps running.
  expect(tasks.filter(({ status }) => status === "implementing")).toHaveLength(1);
});

test("the diff and the worktree of a task; its path is printed after q", async () => {
  const box = await atWork();
  box.write("go", "");
  await vi.waitFor(async () => expect(await box.status("T-1")).toMatchObject({ status: "done" }), PATIENT);
  box.plan("coder", 'echo more > "$task.txt"; exit 1');
  await box.task("T-3", { coder: "true" });
  await box.execute("--stages", "coder", "--task", "T-3");
  const screen = ralphScreen(box, ["board"], { size });
  await screen.shows("T-3");
  screen.press("/", ..."t-3", "enter", "d");
  await screen.shows(/Changes of task T-3[\s\S]*diff --git|Changes of task T-3[\s\S]*changed nothing/);
  screen.press("o");
  await screen.shows(/Worktree of task T-3\s/);
  await screen.shows(box.worktree("T-3"));
  screen.press("q");
  expect(await screen.ended).toMatchObject({ code: 0 });
  expect(screen.history()).toContain(box.worktree("T-3"));
  expect(existsSync(box.worktree("T-3"))).toBe(true);
});

test("a journal that cannot be read is reported, and read once it can be", async () => {
  const box = pipeline();
  await box.task("T-1", { coder: "true" });
  const screen = ralphScreen(box, ["board"], { size });
  await screen.shows("T-1");
  const database = join(box.state, "ralph.db");
  renameSync(database, `${database}.kept`);
  writeFileSync(database, "no database ".repeat(1_000));
  await screen.shows("; trying again…");
  renameSync(`${database}.kept`, database);
  await screen.hides("; trying again…");
  await screen.shows("T-1");
});

test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("%s leaves the terminal as it was", async (signal) => {
  const box = pipeline();
  const screen = ralphScreen(box, ["board"], { size });
  await screen.shows("No tasks yet.");
  process.kill(screen.pid, signal);
  expect(await screen.ended).toMatchObject({ code: 130 });
  expect(screen.modes()).toEqual(RESTORED);
});

async function shell(box: PipelineSandbox): Promise<TestScreen> {
  const screen = openScreen(box, ["bash", "--norc", "--noprofile", "-i"], { size, env: { PS1: "prompt> " } });
  await screen.shows("prompt>");
  screen.type(`clear; ${process.execPath} ${box.ralphPath} board\r`);
  return screen;
}

test("Ctrl-Z leaves the terminal to the shell, and fg draws the board again", async () => {
  const screen = await shell(pipeline());
  await screen.shows("No tasks yet.");
  screen.press("ctrl-z");
  await screen.shows(/Stopped.*\n(?:.*\n)*prompt>$/);
  expect(screen.modes()).toMatchObject({ isAlternate: false, hidesCursor: false, wraps: true });
  screen.type("fg\r");
  await screen.shows("No tasks yet.");
  screen.press("q");
  await screen.shows(/prompt>$/);
});

test("from 200x60 to 80x24 while tasks change", async () => {
  const box = await atWork();
  const screen = ralphScreen(box, ["board"], { size: { columns: 200, rows: 60 } });
  await screen.shows(/Implementing 2[\s\S]*Blocked 0/);
  screen.resize({ columns: 80, rows: 24 });
  await screen.shows(/Testing 0 · QA 0 · Done 0 · Blocked 0 ›/);
  box.write("go", "");
  await screen.shows(/Done 2/);
  await screen.shows(/2\/2 merged/);
  expect(Math.max(...screen.lines().map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("when Ralph was updated meanwhile, it says to start again", async () => {
  const box = pipeline();
  await box.task("T-1", { coder: "true" });
  const installed = join(box.cwd, "../installed");
  const dist = dirname(box.ralphPath);
  cpSync(dist, join(installed, "dist"), { recursive: true });
  symlinkSync(join(dist, "../node_modules"), join(installed, "node_modules"));
  const screen = openScreen(box, [process.execPath, join(installed, "dist/ralph.js"), "board"], { size });
  await screen.shows("T-1");
  renameSync(join(installed, "dist"), join(installed, "earlier"));
  screen.press("enter");
  await screen.shows("Ralph was updated or removed while this was running (start it again)");
  screen.press("q");
  expect(await screen.ended).toMatchObject({ code: 0 });
});
