import { spawn } from "node:child_process";
import { once } from "node:events";
import { excerpt } from "../../core/excerpt.ts";
import { environment } from "./environment.ts";

const KEPT_CHARS = 4000;
// Time for output that is already in the pipe; a background child may keep the pipe open forever.
const DRAIN_MS = 100;

/** Returns a shell command's exit code or signal and the output kept. Rejects only if no shell can be started. */
export async function runScriptCommand(command: string, more: Readonly<Record<string, string>>) {
  const env = { ...environment(), ...more };
  const child = spawn("sh", ["-c", command], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = excerpt(KEPT_CHARS);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", output.add);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await once(child, "exit");
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]);
  child.stdout.destroy();
  child.stderr.destroy();
  return { exit: child.exitCode ?? child.signalCode ?? "unknown", output: output.text() };
}

/** Starts a shell command in a new session, so that it outlives this process. Returns its process id. */
export async function startDetached(command: string, env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn("sh", ["-c", command], { env: { ...environment(), ...env }, detached: true, stdio: "ignore" });
  await once(child, "spawn");
  child.unref();
  return child.pid ?? 0;
}
