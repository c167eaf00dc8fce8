import { formatDuration } from "../core/duration.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { Check } from "../core/loop/spec.ts";
import { type CommandRequest, runCommand } from "../io/command.ts";
import type { Ended } from "../io/ending.ts";

/** What every check of one loop shares. */
export type CheckSetting = Omit<CommandRequest, "command" | "timeoutMs" | "logPath">;

/** Runs a check for the harness itself; null when the stop signal cut it short. */
export async function runCheck(check: Check, logPath: string, setting: CheckSetting): Promise<CheckResult | null> {
  const { command, timeoutMs } = check;
  const run = await runCommand({ ...setting, command, timeoutMs, logPath });
  if (run.ended.by === "stop") return null;
  return {
    name: check.name,
    command,
    log: logPath,
    excerpt: run.excerpt,
    ms: run.ms,
    ...resultOf(run.ended, timeoutMs),
  };
}

/** Shells answer so when the command is not there or cannot be run: that tells nothing about the work. */
const NOT_RUN = new Set([126, 127]);

function resultOf(ended: Ended, timeoutMs: number): Pick<CheckResult, "is" | "code" | "reason"> {
  if (ended.by === "exit" && ended.code === 0) return { is: "pass", code: 0, reason: "exit code 0" };
  if (ended.by === "exit" && NOT_RUN.has(ended.code)) {
    return { is: "unknown", code: ended.code, reason: `the command could not be run (exit code ${ended.code})` };
  }
  if (ended.by === "exit") return { is: "fail", code: ended.code, reason: `exit code ${ended.code}` };
  if (ended.by === "signal") return { is: "fail", code: null, reason: `ended by ${ended.signal}` };
  if (ended.by === "timeout") return { is: "fail", code: null, reason: `no end after ${formatDuration(timeoutMs)}` };
  return { is: "unknown", code: null, reason: ended.by === "start-error" ? ended.message : ended.by };
}
