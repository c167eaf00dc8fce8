import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runProgram, startThrough } from "./program.ts";
import { openStarter } from "./starter.ts";

const sh = (script: string) => runProgram({ file: "sh", args: ["-c", script], cwd: "/" });

/** A file that a script writes to while it runs. */
function note(): { file: string; words(): string[] } {
  const file = join(mkdtempSync(join(tmpdir(), "ralph-program-")), "note");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const text = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return { file, words: () => (text().endsWith("\n") ? text().trim().split(" ") : []) };
}

/** Runs a script that times out when the test says so, not when a busy machine gets that far. */
function timed(script: string, file: string) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const run = runProgram({ file: "sh", args: ["-c", script, file], cwd: "/", timeoutMs: 500 });
  return { run, timeIsOver: () => void vi.advanceTimersByTime(500) };
}

test("reports how a program ended and what it printed", async () => {
  expect(await sh("echo out; echo err >&2; exit 3")).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
});

test("a program that cannot be started is reported, not thrown", async () => {
  const run = await runProgram({ file: "/no/such/program", args: [], cwd: "/" });
  expect(run).toEqual({ code: null, stdout: "", stderr: expect.stringContaining("ENOENT") });
});

test("a program that times out is killed with its children", async () => {
  const { file, words } = note();
  const { run, timeIsOver } = timed('sleep 300 & echo "$!" > "$0"; wait', file);
  await expect.poll(words).toHaveLength(1);
  timeIsOver();
  expect(await run).toEqual({ code: null, stdout: "", stderr: "" });
  await expect.poll(() => works(Number(words()[0]))).toBe(false);
});

/** Whether a process is alive: a dead one may still be listed until it is reaped. */
function works(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

test("a server that a program leaves running is not waited for, and keeps running", async () => {
  const { file, words } = note();
  const script = 'sleep 300 & echo "$!" > "$0"; echo done';
  const run = await runProgram({ file: "sh", args: ["-c", script, file], cwd: "/" });
  const server = Number(words()[0]);
  onTestFinished(() => void process.kill(server));
  expect([run, works(server)]).toEqual([{ code: 0, stdout: "done\n", stderr: "" }, true]);
});

test("a child that left the group and keeps the pipes open is not waited for", async () => {
  const { file, words } = note();
  const { run, timeIsOver } = timed('setsid sleep 300 & echo early; echo "$$ $!" > "$0"', file);
  await expect.poll(words).toHaveLength(2);
  const [program, child] = words().map(Number) as [number, number];
  onTestFinished(() => void process.kill(child));
  await expect.poll(() => works(program)).toBe(false);
  // Its output is complete, and is read first.
  await new Promise(setImmediate);
  timeIsOver();
  expect(await run).toEqual({ code: 0, stdout: "early\n", stderr: "" });
});

describe("through a shell", () => {
  const through = () => {
    onTestFinished(startThrough(openStarter()));
  };

  test.each<[string, string[], object]>([
    [
      "its output and how it ended",
      ["-c", "echo out; echo err >&2; exit 3"],
      { code: 3, stdout: "out\n", stderr: "err\n" },
    ],
    [
      "unchanged arguments",
      ["-c", 'printf "%s|" "$@"', "sh", "it's", "two\nlines", "$(id)", "", "-n"],
      { code: 0, stdout: "it's|two\nlines|$(id)||-n|" },
    ],
    ["a signal like a shell", ["-c", "kill -9 $$"], { code: null }],
    ["nothing to read", ["-c", "cat"], { code: 0, stdout: "" }],
  ])("reports %s", async (_name, args, run) => {
    through();
    expect(await runProgram({ file: "sh", args, cwd: "/" })).toMatchObject(run);
  });

  test("in its folder, with its variables, and without our run token", async () => {
    through();
    const script = 'pwd; echo "$A"; env | grep -c ^RALPH_RUN=';
    const run = await runProgram({ file: "sh", args: ["-c", script], cwd: "/usr", env: { A: "it's $A\n" } });
    expect(run).toEqual({ code: 1, stdout: "/usr\nit's $A\n\n0\n", stderr: "" });
  });

  test.each([
    { file: "/no/such/program", args: [], cwd: "/" },
    { file: "true", args: [], cwd: "/no/such/folder" },
  ])("a failure to start is reported: %j", async (request) => {
    through();
    expect(await runProgram(request)).toMatchObject({ code: null });
  });

  test("many at once, each with its own output; long output in pieces, or bounded", async () => {
    through();
    const echo = (n: number) => runProgram({ file: "sh", args: ["-c", `sleep 0.0${n % 5}; echo ${n}`], cwd: "/" });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => echo(n)));
    expect(answers.map(({ stdout }) => Number(stdout))).toEqual(Array.from({ length: 40 }, (_, n) => n));
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
    };
    const flood = { file: "sh", args: ["-c", "head -c 3000000 /dev/zero"], cwd: "/" };
    await runProgram({ ...flood, take: count });
    expect([bytes, (await runProgram(flood)).stdout.length < 1_100_000]).toEqual([3_000_000, true]);
  });

  test("aborting does not wait, and without the shell we start programs ourselves", async () => {
    const starter = openStarter();
    onTestFinished(startThrough(starter));
    const quit = new AbortController();
    const left = runProgram({ file: "sleep", args: ["1"], cwd: "/", quit: quit.signal });
    quit.abort();
    expect(await left).toMatchObject({ code: null });
    const shell = await runProgram({ file: "sh", args: ["-c", "ps -o ppid= -p $PPID"], cwd: "/" });
    process.kill(Number(shell.stdout), "SIGKILL");
    await expect.poll(starter.isOpen).toBe(false);
    expect(await runProgram({ file: "true", args: [], cwd: "/" })).toMatchObject({ code: 0 });
  });
});
