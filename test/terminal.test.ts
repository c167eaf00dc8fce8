import { expect, test, vi } from "vitest";
import { bundle } from "./support/bundle.ts";
import { PATIENT } from "./support/patience.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { openScreen, type TestScreen, type Widths } from "./support/screen.ts";

const RESTORED = { isAlternate: false, marksPastes: false, wraps: true, hidesCursor: false };
const size = { columns: 40, rows: 10 };

/** A shell that runs the program, shows the modes of the terminal and waits. */
async function started(box: Sandbox, env: Record<string, string> = {}, widths?: Widths): Promise<TestScreen> {
  box.write("program.mjs", await bundle("terminal-program.ts"));
  box.write(
    "run.sh",
    `"$@"; echo "exit $?"; stty -a | tr ' ;' '\\n' | grep -xE -e '-?(echo|icanon|isig)' | tr '\\n' ' '; echo over; read x`,
  );
  const screen = openScreen(box, ["sh", "run.sh", process.execPath, "program.mjs"], {
    size,
    env,
    ...(widths ? { widths } : {}),
  });
  await screen.shows("40x10");
  return screen;
}

async function isRestored(screen: TestScreen): Promise<string[]> {
  await screen.shows("over");
  expect(screen.modes()).toEqual(RESTORED);
  const lines = screen.history();
  expect(lines[0]).toBe("before");
  expect(lines.at(-1)).toBe("isig icanon echo over");
  return lines.slice(1, -1);
}

test("keys arrive, a resize is drawn, and closing restores the terminal", async () => {
  const screen = await started(sandbox());
  expect(screen.modes()).toEqual({ isAlternate: true, marksPastes: true, wraps: false, hidesCursor: true });
  screen.press("down", "j", "é", "escape");
  await screen.shows("keys down j é escape");
  screen.type("\u001b[200~qqq!\u001b[201~");
  screen.press("tab");
  await screen.shows("escape paste:qqq! tab");
  screen.resize({ columns: 60, rows: 14 });
  await screen.shows("60x14");
  expect(screen.lines()).toHaveLength(14);
  screen.press("q");
  expect(await isRestored(screen)).toEqual(["closed", "exit 0"]);
});

test.each<Widths>(["narrow", "wide"])("columns do not depend on the widths of the terminal: %s", async (widths) => {
  const screen = await started(sandbox(), {}, widths);
  await screen.shows("| 1");
  for (const row of [3, 8]) expect(screen.cell(row, 12).text).toBe("|");
  expect(screen.find("| 1")).toEqual({ row: 2, column: 12 });
  // A line that is too long is cut instead of scrolling the screen.
  expect(screen.find("1235")).toEqual({ row: 9, column: 36 });
});

test.each<[string, Record<string, string>, number | null]>([
  ["16 colours", {}, 1],
  ["no colours, but emphasis", { NO_COLOR: "1" }, null],
])("%s", async (_name, env, colour) => {
  const screen = await started(sandbox(), env);
  const red = screen.find("red")!;
  expect(screen.cell(red.row, red.column).colour).toBe(colour);
  expect(screen.cell(0, 0).inverse).toBe(true);
});

test.each<[string, (screen: TestScreen) => void, RegExp[]]>([
  ["an exit", (screen) => screen.press("x"), [/^exit 3$/]],
  ["an exception, which is shown", (screen) => screen.press("!"), [/Error: broken/, /^exit 1$/]],
])("the terminal is restored after %s", async (_name, end, seen) => {
  const screen = await started(sandbox());
  end(screen);
  const lines = (await isRestored(screen)).join("\n");
  for (const pattern of seen) expect(lines).toMatch(new RegExp(pattern, "m"));
});

test.each<NodeJS.Signals>(["SIGINT", "SIGTERM", "SIGHUP"])("the terminal is restored after %s", async (signal) => {
  const box = sandbox();
  const screen = await started(box);
  box.write("kill.sh", `for p in $(ps -o pid= --ppid ${screen.pid}); do kill -${signal.slice(3)} $p; done`);
  await box.run("sh", "kill.sh");
  expect(await isRestored(screen)).toEqual([`ended: ${signal}`, "exit 0"]);
});

test("Ctrl-Z gives the terminal to the shell, and fg draws the screen again", async () => {
  const box = sandbox();
  box.write("program.mjs", await bundle("terminal-program.ts"));
  const env = { PS1: "prompt> ", BASH_SILENCE_DEPRECATION_WARNING: "1" };
  const screen = openScreen(box, ["bash", "--norc", "--noprofile", "-i"], { size, env });
  await screen.shows("prompt>");
  screen.type(`${process.execPath} program.mjs\r`);
  await screen.shows("40x10");
  screen.press("a", "ctrl-z");
  await screen.shows(/Stopped[\s\S]*prompt>/);
  expect(screen.modes()).toMatchObject({ isAlternate: false, hidesCursor: false, wraps: true });
  screen.type("echo in the shell\r");
  await screen.shows(/^in the shell$/m);
  screen.type("fg\r");
  await screen.shows("keys a");
  expect(screen.modes()).toMatchObject({ isAlternate: true, hidesCursor: true });
  screen.press("b");
  await screen.shows("keys a b");
  screen.press("q");
  await screen.shows("closed");
});

test("a process that no shell could continue is not stopped", async () => {
  const box = sandbox();
  box.write("program.mjs", await bundle("terminal-program.ts"));
  const screen = openScreen(box, [process.execPath, "program.mjs"], { size });
  await screen.shows("40x10");
  screen.press("ctrl-z", "a");
  await screen.shows("keys a");
  screen.press("q");
  expect(await screen.ended).toEqual({ code: 0, signal: 0 });
});

test("a terminal that takes nothing does not stop the program, and then gets the newest frame", async () => {
  const box = sandbox();
  const screen = await started(box);
  screen.pause();
  screen.resize({ columns: 200, rows: 200 });
  screen.press("f", "w");
  await vi.waitUntil(() => box.exists("drawn"), PATIENT);
  screen.resume();
  const drawn = Number(box.read("drawn"));
  await screen.until((lines) => Number(/\| (\d+)/.exec(lines.join("\n"))?.[1]) >= drawn);
  screen.press("q");
  expect(await isRestored(screen)).toEqual(["closed", "exit 0"]);
});

test("`ralph board` ends quietly when its terminal disappears", async () => {
  const box = pipeline();
  await box.task("T-1", { coder: "true" });
  // The shell stays to see how it ended, so that the kernel signals only the shell.
  box.write("run.sh", `trap : HUP; "$@" 2> errors; echo "$?" > code`);
  const screen = openScreen(box, ["sh", "run.sh", process.execPath, box.ralphPath, "board"]);
  await screen.shows("T-1");
  screen.hangUp();
  await vi.waitUntil(() => box.exists("code") && box.read("code") !== "", PATIENT);
  expect(box.read("code")).toBe("129\n");
  // Besides the shell's own line.
  expect(box.read("errors")).not.toMatch(/node|ralph-engine|Assertion|Error/);
});
