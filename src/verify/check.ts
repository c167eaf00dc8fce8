import { resolve } from "node:path";
import { formatDuration } from "../core/duration.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { External } from "../core/proof/proof.ts";
import { type CommandRequest, runCommand } from "../io/command.ts";
import type { Ended } from "../io/ending.ts";

/** What every check of one loop shares. */
export type CheckSetting = Omit<CommandRequest, "command" | "timeoutMs" | "logPath">;

/** Runs a check for the harness itself; null when the stop signal cut it short. */
export async function runCheck(
  check: External & { name: string },
  logPath: string,
  setting: CheckSetting,
): Promise<CheckResult | null> {
  const { name, command, timeoutMs } = check;
  const run = await runCommand({
    ...setting,
    cwd: resolve(setting.cwd, check.workingDir),
    env: { ...setting.env, ...check.env },
    command,
    timeoutMs,
    logPath,
  });
  if (run.ended.by === "stop") return null;
  return { name, command, log: logPath, excerpt: run.excerpt, ms: run.ms, ...resultOf(run.ended, check) };
}

/** Shells answer so when the command is not there or cannot be run: that tells nothing about the work. */
const NOT_RUN = new Set([126, 127]);

type Answer = Pick<CheckResult, "is" | "code" | "reason">;

function resultOf(ended: Ended, { successExitCode, timeoutMs }: External): Answer {
  if (ended.by === "exit") return exitResult(ended.code, successExitCode);
  if (ended.by === "signal") return { is: "fail", code: null, reason: `ended by ${ended.signal}` };
  if (ended.by === "timeout") return { is: "fail", code: null, reason: `no end after ${formatDuration(timeoutMs)}` };
  return { is: "unknown", code: null, reason: ended.by === "start-error" ? ended.message : ended.by };
}

function exitResult(code: number, wanted: number): Answer {
  if (code === wanted) return { is: "pass", code, reason: `exit code ${code}` };
  if (NOT_RUN.has(code)) return { is: "unknown", code, reason: `the command could not be run (exit code ${code})` };
  return { is: "fail", code, reason: wanted === 0 ? `exit code ${code}` : `exit code ${code}, expected ${wanted}` };
}
