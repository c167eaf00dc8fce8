import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { sandbox } from "../support/sandbox.ts";

const MB = 2 ** 20;
const until = async (what: () => boolean | Promise<boolean>) => {
  while (!(await what())) await new Promise((done) => setTimeout(done, 50));
};

test("a blocked reader holds the agent back, and does not delay a stop", async () => {
  const box = sandbox();
  box.program("chatter", "exec yes 'the same line again and again'");
  const env = { ...process.env, RALPH_STATE_DIR: box.state, PATH: `${join(box.cwd, "../bin")}:${process.env.PATH}` };
  const args = [resolve("dist/ralph.js"), "run", "--prompt", "x", "--agent", "chatter"];
  const ralph = spawn(process.execPath, args, { cwd: box.cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((done) => ralph.once("exit", done));
  const status = async () => ((await box.json("list")) as { id: string; status: string; reason: string }[])[0];

  await until(async () => (await status())?.status === "running");
  const log = join(box.state, "loops", String((await status())?.id), "output-1.log");
  await until(() => existsSync(log) && statSync(log).size > 0);
  // It counts as blocked after several equal polls: a single one may only be slow.
  let size = -1;
  let looks = 0;
  await until(() => {
    const before = size;
    size = statSync(log).size;
    looks = size === before ? looks + 1 : 0;
    return looks === 5;
  });
  expect(size).toBeLessThan(8 * MB);

  ralph.kill("SIGINT");
  await until(async () => (await status())?.reason === "interrupted");
  ralph.stdout?.destroy();
  expect(await ended).toBe(130);
});
