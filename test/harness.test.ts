import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { processesWith } from "./support/processes.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const HANGS = "setsid sleep 300 & echo begun; trap '' INT TERM; sleep 300; sleep 300";
const processesOf = (box: Sandbox) => processesWith(`TMPDIR=${dirname(box.cwd)}`);

let hung: Sandbox | undefined;

test.fails("a test that times out…", { timeout: 500 }, async () => {
  hung = sandbox();
  hung.program("agent", HANGS);
  await hung.ralph("run", "--prompt", "x", "--agent", "agent");
});

test("…leaves no process and no folder behind, and starts nothing more", async () => {
  const box = hung as Sandbox;
  await expect.poll(() => processesOf(box)).toEqual([]);
  expect(existsSync(box.cwd)).toBe(false);
  expect(() => box.start(["list"])).toThrow("this test is over");
});

test("a sandbox removes everything that was started in it", async () => {
  const cleanUps: (() => void)[] = [];
  const box = sandbox((cleanUp) => cleanUps.push(cleanUp));
  box.program("agent", HANGS);
  await box.start(["run", "--prompt", "x", "--agent", "agent"]).saw("begun");
  expect(processesOf(box).length).toBeGreaterThan(2);
  for (const cleanUp of cleanUps) cleanUp();
  await expect.poll(() => processesOf(box)).toEqual([]);
});
