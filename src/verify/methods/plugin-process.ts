import { randomBytes } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandRequest, type CommandRun, runShellCommand } from "../../adapters/io/command.ts";
import type { Ended } from "../../adapters/io/ending.ts";
import { makeFolder } from "../../adapters/io/folder.ts";
import { jsonAt } from "../../adapters/io/look.ts";
import { formatDuration } from "../../core/duration.ts";
import { shorten } from "../../core/excerpt.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { faultsOf } from "../../core/schema/faults.ts";
import { type PluginCall, type PluginOutcome, pluginAnswer, pluginOutcome } from "../../core/schema/plugin-call.ts";

const RUNNER = fileURLToPath(new URL("./plugin-runner.js", import.meta.url));
const MOST_BYTES = 1 << 20;

/**
 * Runs a plugin in its own process, so that one that throws, hangs or exits does no harm. The answer comes through a
 * file whose name only this call knows. Null if the stop signal interrupted it.
 */
export async function runPluginProcess(
  call: Omit<PluginCall, "outcome">,
  setting: Omit<CommandRequest, "command">,
): Promise<(CommandRun & { outcome: PluginOutcome }) | null> {
  const request = `${setting.log.path}.${randomBytes(6).toString("hex")}`;
  const outcome = `${request}.outcome`;
  makeFolder(dirname(request));
  try {
    writeFileSync(request, JSON.stringify({ ...call, outcome }), { mode: 0o600 });
    // Node's own warnings are not output of the plugin.
    const words = [process.execPath, "--disable-warning=ExperimentalWarning", RUNNER, request];
    const run = await runShellCommand({ ...setting, command: `exec ${words.map(quoted).join(" ")}` });
    if (run.ended.by === "stop") return null;
    return { ...run, outcome: outcomeOf(run.ended, outcome, call.plugin, setting.timeoutMs) };
  } finally {
    for (const path of [request, outcome, `${outcome}.draft`]) rmSync(path, { force: true });
  }
}

/** Quotes Ralph's own paths for the shell that starts the process. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function outcomeOf(ended: Ended, path: string, plugin: string, timeoutMs: number): PluginOutcome {
  const refused = (what: string): PluginOutcome => ({
    is: "refused",
    reason: `the plugin ${plugin} ${what}`,
    hint: "see its log",
  });
  if (ended.by === "timeout") return refused(`gave no answer within ${formatDuration(timeoutMs)}`);
  if (ended.by !== "exit") return refused(`was ended: ${ended.by === "signal" ? ended.signal : ended.by}`);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return refused(`ended without an answer (exit code ${ended.code})`);
  if (size > MOST_BYTES) return refused("gave an answer of more than a megabyte");
  const { data } = pluginOutcome.safeParse(jsonAt(path));
  return data ?? refused("gave an unreadable answer");
}

/** The journal keeps the reason and every view shows it: longer text belongs in the output. */
const REASON_CHARS = 1_000;

type Answer = Pick<CheckResult, "is" | "reason"> & { output?: string };

/** A plugin's answer. An invalid one is `unknown`, never a pass. */
export function answerOfPlugin(outcome: PluginOutcome, plugin: string): Answer {
  if (outcome.is === "refused") return { is: "unknown", reason: outcome.reason };
  if (outcome.is === "fits") return { is: "unknown", reason: `the plugin ${plugin} was not asked` };
  const { data, error } = pluginAnswer.safeParse(outcome.answer);
  if (data) return { ...data, reason: shorten(data.reason, REASON_CHARS) };
  const faults = faultsOf(error).map(({ text }) => text);
  return { is: "unknown", reason: `the plugin ${plugin} gave an invalid answer: ${faults.join("; ")}` };
}
