import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "./program.ts";

const sh = (script: string, timeoutMs?: number) =>
  runProgram({ file: "sh", args: ["-c", script], cwd: "/", ...(timeoutMs === undefined ? {} : { timeoutMs }) });

test("tells how a program ended and what it printed", async () => {
  expect(await sh("echo out; echo err >&2; exit 3")).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
});

test("a program that cannot be started is told, not thrown", async () => {
  const run = await runProgram({ file: "/no/such/program", args: [], cwd: "/" });
  expect(run).toEqual({ code: null, stdout: "", stderr: expect.stringContaining("ENOENT") });
});

test("a program that does not answer in time is killed with its children", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "ralph-program-")), "pid");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const script = 'sleep 300 & echo "$!" > "$0"; wait';
  const run = runProgram({ file: "sh", args: ["-c", script, file], cwd: "/", timeoutMs: 500 });
  expect(await run).toEqual({ code: null, stdout: "", stderr: "" });
  await expect.poll(() => works(Number(readFileSync(file, "utf8")))).toBe(false);
});

/** Whether a process is alive: one that is dead may still be listed until somebody asks after it. */
function works(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

test("a server that a program leaves running does not keep anybody waiting, and lives on", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "ralph-program-")), "pid");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const script = 'sleep 300 & echo "$!" > "$0"; echo done';
  const run = await runProgram({ file: "sh", args: ["-c", script, file], cwd: "/" });
  const server = Number(readFileSync(file, "utf8"));
  onTestFinished(() => void process.kill(server));
  expect([run, works(server)]).toEqual([{ code: 0, stdout: "done\n", stderr: "" }, true]);
});

test("a child that left the group and keeps the pipes open does not keep anybody waiting", async () => {
  const run = await sh("setsid sh -c 'sleep 2; echo late' & echo early", 300);
  expect(run).toEqual({ code: 0, stdout: "early\n", stderr: "" });
});
