import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

// A program that floods its output and then waits to be measured.
const PROGRAM = `
import { flood } from "./output.ts";
const [text, bytes] = process.argv.slice(2);
await flood(text, Number(bytes));
process.stdin.resume();
`;
const program = join(tmpdir(), `ralph-output-${process.pid}.mjs`);

beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL(".", import.meta.url));
  const stdin = { contents: PROGRAM, resolveDir, loader: "ts" } as const;
  await build({ stdin, outfile: program, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => rm(program, { force: true }));

const start = (text: string, bytes: number) => spawn(process.execPath, [program, text, String(bytes)]);

test.each([
  ["abc", 0],
  ["abc", 7],
  ["é", 3],
  ["0123456789\n", 200_000],
  ["x".repeat(70_000), 150_000],
  ["", 10],
])("prints exactly the bytes asked for (%#)", async (text, bytes) => {
  const child = start(text, bytes);
  child.stdin.end();
  const expected = Buffer.from(text.repeat(text === "" ? 1 : Math.ceil(bytes / text.length))).subarray(0, bytes);
  expect((await buffer(child.stdout)).equals(expected)).toBe(true);
});

test.runIf(process.platform === "linux")("keeps little of 50 MB in memory, however slow the reader", async () => {
  const few = await peakMemoryMb(100_000);
  expect((await peakMemoryMb(50_000_000)) - few).toBeLessThan(20);
});

/** The program's peak memory until a reader that starts late has read every byte. */
async function peakMemoryMb(bytes: number): Promise<number> {
  const child = start("0123456789\n", bytes);
  await once(child.stdout, "readable");
  await sleep(300);
  let left = bytes;
  for await (const chunk of child.stdout) {
    left -= (chunk as Buffer).length;
    if (left <= 0) break;
  }
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  child.kill("SIGKILL");
  await once(child, "exit");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
