import { spawnSync } from "node:child_process";
import { environment } from "./environment.ts";
import type { ProgramRun } from "./program.ts";

interface AtOnceRequest {
  args: readonly string[];
  cwd: string;
  input: string;
  env: Readonly<Record<string, string>>;
}

/** Runs a Node program synchronously, which blocks this process. */
export function runNodeAtOnce({ args, cwd, input, env }: AtOnceRequest): ProgramRun {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd,
    input,
    encoding: "utf8",
    // An Electron app acts as Node only with this variable.
    env: { ...environment(), ...env, ELECTRON_RUN_AS_NODE: "1" },
    maxBuffer: 64 << 20,
    windowsHide: true,
  });
  return { code: status, stdout: stdout ?? "", stderr: error?.message ?? stderr ?? "" };
}
