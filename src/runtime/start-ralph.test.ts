import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLauncher } from "../adapters/io/launcher.ts";
import { fieldOf } from "../core/field.ts";
import { startRalph } from "./start-ralph.ts";

/** Starts a little program in place of Ralph. */
async function started(program: string, args: readonly string[] = ["execute"]) {
  const root = mkdtempSync(join(tmpdir(), "start-"));
  const launcher = openLauncher();
  onTestFinished(() => {
    launcher.close();
    rmSync(root, { recursive: true, force: true });
  });
  const path = join(root, "program.mjs");
  writeFileSync(path, program);
  const folder = { root } as never;
  const begun = (line: unknown) => (fieldOf(line, "type") === "task" ? fieldOf(line, "task") : null);
  return {
    logs: () => readdirSync(join(root, "started")),
    root,
    start: (patienceMs?: number) =>
      startRalph({ launcher, program: path, workspace: { cwd: root, folder }, args, begun }, patienceMs),
  };
}

const print = (line: object) => `console.log(${JSON.stringify(JSON.stringify(line))});`;

test("the answer comes when its work has begun; the program works on", async () => {
  const wait =
    'import { existsSync } from "node:fs"; while (!existsSync("go")) await new Promise((r) => setTimeout(r, 20));';
  const { start, root } = await started(
    `${print({ type: "plan" })}${print({ type: "task", task: "A" })}${wait}${print({ type: "end" })}`,
  );
  const { begun, log } = await start();
  expect(begun).toBe("A");
  writeFileSync(join(root, "go"), "");
  await expect.poll(() => readFileSync(log, "utf8"), { timeout: 30_000 }).toContain('"end"');
});

test("no word of a request is read by a shell, and a group of its own is started", async () => {
  const args = ["execute", "--target=$(touch pwned) `touch pwned`; touch pwned\n'\"", "--x=\u{1f980}"];
  const { start, root } = await started(
    "console.log(JSON.stringify({ type: 'task', task: process.argv.slice(2) }))",
    args,
  );
  expect((await start()).begun).toEqual([...args, "--json"]);
  expect(readdirSync(root)).not.toContain("pwned");
});

test.each([
  [
    "its own error",
    print({ type: "error", code: "task-unknown", message: "there is no task Z", hint: "look" }),
    "task-unknown",
  ],
  ["an end without a word", "process.exitCode = 3;", "start-failed"],
  ["a crash", "throw new Error('broken')", "start-failed"],
])("%s is the refusal", async (_name, program, code) => {
  const { start } = await started(program);
  await expect(start()).rejects.toMatchObject({ code });
});

test("what takes long to begin is only known to be started; old logs are removed", async () => {
  const { start, logs } = await started("setTimeout(() => undefined, 100)");
  for (let i = 0; i < 22; i++) expect((await start(0)).begun).toBeNull();
  expect(logs()).toHaveLength(20);
});
