import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { type PipelineSandbox, pipeline } from "./support/pipeline.ts";
import { openScreen, ralphScreen, type TestScreen } from "./support/screen.ts";

const size = { columns: 100, rows: 18 };
const EXECUTE = ["execute", "--max-parallel", "2", "--stages", "coder"];

/** Three tasks whose agents wait until a file exists. */
async function waitingTasks(): Promise<PipelineSandbox> {
  const box = pipeline();
  box.plan("coder", `echo "work of $task" > "$task.txt"; while [ ! -e '${box.path("go")}' ]; do sleep 0.05; done`);
  for (const id of ["T-1", "T-2", "T-3"]) await box.task(id, { coder: "true" });
  return box;
}

/** What a terminal looks like without anything of Ralph's. */
const RESTORED = { isAlternate: false, marksPastes: false, wraps: true, hidesCursor: false };
const FOOTER = / merged, (?:\d+ blocked, )?\d+m? ?\d*s$/;
const SLOTS = /\n 1 T-\d Coder \(1\/15\) .*\d+s\n 2 T-\d Coder \(1\/15\) .*\d+s\n 0\/3 merged, \d+s$/;
const footersIn = (lines: readonly string[]): string[] => lines.filter((line) => FOOTER.test(line));
const isLast = (footer: RegExp) => (lines: string[]) =>
  footer.test(lines.at(-1) ?? "") && footersIn(lines).length === 1;

test("an execution on a terminal has a footer below its lines, of which nothing stays", async () => {
  const box = await waitingTasks();
  const screen = ralphScreen(box, EXECUTE, { size });
  await screen.shows(SLOTS);
  // Keys that the terminal shows by itself, in the middle of the footer; it is drawn again in its place.
  screen.press("x", "enter", "enter");
  await screen.until(
    () =>
      screen.printed().lastIndexOf("\u001b[?2026l") >
      (/x\r\n\r\n/.exec(screen.printed())?.index ?? Number.POSITIVE_INFINITY),
  );
  await screen.shows(SLOTS);
  screen.resize({ columns: 60, rows: 12 });
  await screen.shows(SLOTS);
  box.write("go", "");
  expect(await screen.ended).toMatchObject({ code: 0 });
  const lines = screen.history();
  expect(footersIn(lines)).toEqual([]);
  expect(lines.filter((line) => /^x| \d T-/.test(line))).toEqual([]);
  expect(lines.filter((line) => / begins /.test(line))).toHaveLength(3);
  expect(lines.find((line) => line.startsWith("✓"))).toMatch(/all done: 3 done/);
  expect(screen.modes()).toEqual(RESTORED);
});

test("Ctrl-C stops an execution and leaves complete lines", async () => {
  const screen = ralphScreen(await waitingTasks(), EXECUTE, { size });
  await screen.until(isLast(FOOTER));
  screen.press("ctrl-c");
  expect(await screen.ended).toMatchObject({ code: 130 });
  const lines = screen.history();
  expect(footersIn(lines)).toEqual([]);
  expect(lines).toContain("SIGINT: stopping… (press again to stop immediately)");
  expect(screen.modes()).toEqual(RESTORED);
});

/** Types a command line into an interactive shell. */
async function typed(box: PipelineSandbox, ...words: string[]): Promise<TestScreen> {
  const shell = ["bash", "--norc", "--noprofile", "-i"];
  const screen = openScreen(box, shell, { size, env: { PS1: "prompt> ", BASH_SILENCE_DEPRECATION_WARNING: "1" } });
  await screen.shows("prompt>");
  screen.type(`clear; ${words.join(" ")}\r`);
  return screen;
}

full("Ctrl-Z leaves the terminal to the shell, and fg draws the footer again", async () => {
  const box = await waitingTasks();
  const screen = await typed(box, process.execPath, box.ralphPath, ...EXECUTE);
  await screen.until(isLast(FOOTER));
  screen.press("ctrl-z");
  await screen.shows(/Stopped.*\n(?:.*\n)*prompt>$/);
  expect(footersIn(screen.history())).toEqual([]);
  screen.type("fg\r");
  await screen.until(isLast(FOOTER));
  box.write("go", "");
  await screen.shows(/all done: 3 done[\s\S]*prompt>$/);
  expect(footersIn(screen.history())).toEqual([]);
});

sampled(1).each<[string, Record<string, string>, string[]]>([
  ["on a dumb terminal", { TERM: "dumb" }, []],
  ["in continuous integration", { CI: "true" }, []],
  ["with --quiet", {}, ["--quiet"]],
  ["with JSON", {}, ["--json"]],
])("there is no footer %s", async (_name, env, flags) => {
  const box = pipeline();
  await box.task("T-1", { coder: "true" });
  const screen = ralphScreen(box, [...EXECUTE, ...flags], { size, env });
  expect(await screen.ended).toMatchObject({ code: 0 });
  expect(screen.printed()).not.toMatch(/\u001b\[[?\d]*[^\d?m]|\u001b[^[]/);
});

test("--board shows the board; q returns to the lines and the footer while the execution continues", async () => {
  const box = await waitingTasks();
  const screen = ralphScreen(box, [...EXECUTE, "--board"], { size: { columns: 120, rows: 30 } });
  await screen.shows(/T-1[\s\S]*Coder \(1\/15\)/);
  expect(screen.modes()).toMatchObject({ isAlternate: true, hidesCursor: true });
  screen.press("q");
  await screen.shows(SLOTS);
  expect(screen.modes()).toEqual(RESTORED);
  const lines = screen.history();
  expect(lines.filter((line) => / coder begins /.test(line))).toHaveLength(2);
  box.write("go", "");
  expect(await screen.ended).toMatchObject({ code: 0 });
  expect(screen.history().find((line) => line.startsWith("✓"))).toMatch(/all done: 3 done/);
  expect(footersIn(screen.history())).toEqual([]);
});

full("Ctrl-C in the board of an execution stops the execution", async () => {
  const screen = ralphScreen(await waitingTasks(), [...EXECUTE, "--board"], { size });
  await screen.shows("Coder (1/15)");
  screen.press("ctrl-c");
  expect(await screen.ended).toMatchObject({ code: 130 });
  expect(screen.modes()).toEqual(RESTORED);
  const lines = screen.history();
  expect(lines).toContain("SIGINT: stopping… (press again to stop immediately)");
  expect(lines.at(-2)).toMatch(/^■ interrupted \(SIGINT\)/);
});

full("the board of an execution closes when it ends, and its lines are printed", async () => {
  const box = await waitingTasks();
  box.write("go", "");
  const screen = ralphScreen(box, [...EXECUTE, "--board"], { size });
  expect(await screen.ended).toMatchObject({ code: 0 });
  expect(screen.modes()).toEqual(RESTORED);
  const lines = screen.history();
  expect(lines.filter((line) => / coder begins /.test(line))).toHaveLength(3);
  expect(lines.find((line) => line.startsWith("✓"))).toMatch(/all done: 3 done/);
});

test.each<[string, string[], string]>([
  ["without a terminal", [], "--board needs a terminal"],
  ["with --json", ["--json"], "--board and --json cannot be combined"],
])("--board is refused %s", async (_name, flags, words) => {
  const { code, stdout, stderr } = await pipeline().ralph("execute", "--board", ...flags);
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(words);
});
