import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Runs a command to its end: wall time, and the peak resident memory of that one process (Linux). */
export function run(file, args, { cwd, env, stdin, stdout = "ignore", onSample } = {}) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const stdio = [stdin === undefined ? "ignore" : "pipe", stdout, "pipe"];
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio });
    child.stdin?.end(stdin);
    let stderr = "";
    let peakMb = 0;
    child.stderr.on("data", (chunk) => {
      stderr = (stderr + chunk).slice(-2_000);
    });
    const sampler = setInterval(() => {
      const { hwm, rss } = memoryOf(child.pid);
      peakMb = Math.max(peakMb, hwm);
      onSample?.(rss, child.pid);
    }, 20);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(sampler);
      resolve({ code, ms: Number(process.hrtime.bigint() - started) / 1e6, peakMb, stderr });
    });
  });
}

function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const mb = (key) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    return { hwm: mb("VmHWM"), rss: mb("VmRSS") };
  } catch {
    return { hwm: 0, rss: 0 };
  }
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Takes turns, so that a machine that gets busier or idler does so for both. Returns the median ratio of the second to
 * the first, each pair measured back to back, and the two medians.
 */
export async function compare(rounds, first, second) {
  const pairs = [];
  await first();
  await second();
  for (let round = 0; round < rounds; round++) pairs.push([await first(), await second()]);
  const [base, ours] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  return { ratio: median(pairs.map(([a, b]) => b / a)), base, ours };
}
