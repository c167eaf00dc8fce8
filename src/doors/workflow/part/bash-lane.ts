import { runShellCommand } from "../../../adapters/io/command.ts";
import { endWords } from "../../../adapters/io/ending.ts";
import { runBlobs } from "../../../adapters/store/workspace.ts";
import { DEFAULT_TURN_TIMEOUTS } from "../../../core/loop/spec.ts";
import { DEFAULT_CHECK_TIMEOUT_S } from "../../../core/proof/methods/external.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import { variableEnvironment } from "../../../core/workflow/environment.ts";
import type { BashPart } from "../../../core/workflow/workflow.ts";
import type { LaneEnd, RunLane } from "../context.ts";
import { acceptCommand } from "../record/command-record.ts";
import { runValues } from "./part-spec.ts";

const OUTPUT_CHARS = 20_000;
const TOLD_CHARS = 2_000;

/** Runs a command of the workflow. Values of the run are in its environment and never inserted into the command. */
export async function runBashLane(lane: RunLane, piece: BashPart): Promise<LaneEnd> {
  const { context, began } = lane;
  const { id, ledger, workspace, stops, watchdog, processToken, reporter } = context;
  const { started, state } = ledger;
  const timeoutMs = (piece.timeoutS ?? started.settings?.checkTimeout ?? DEFAULT_CHECK_TIMEOUT_S) * 1_000;
  await ledger.write(began);
  const run = await runShellCommand({
    command: piece.command,
    cwd: started.cwd,
    env: { RALPH_WORKFLOW_RUN: id, ...variableEnvironment(runValues(id, started, state)) },
    token: `${runToken(id)}${processToken}/${began.part}-${began.lane}/`,
    timeoutMs,
    graceMs: started.settings?.graceMs ?? DEFAULT_TURN_TIMEOUTS.graceMs,
    stops,
    watchdog,
    log: runBlobs(workspace, id).write(`bash-${began.part + 1}-${began.lane + 1}-${began.attempt}.log`),
    excerptChars: OUTPUT_CHARS,
  });
  if (run.ended.by === "stop") return { is: "paused", why: "interrupted" };
  // Before its end is journalled: if the process is killed in between, both are done again.
  await acceptCommand(context, began.part);
  const output = run.excerpt.trim();
  const fault = run.ended.by === "exit" && run.ended.code === 0 ? null : endWords(run.ended, timeoutMs);
  if (output !== "") reporter.report({ kind: "tool", text: output.slice(-TOLD_CHARS) });
  const ended = {
    ...began,
    type: "part.ended",
    is: fault === null ? "done" : "failed",
    reason: null,
    detail: fault === null ? "" : [fault, output.split("\n").at(-1)].filter(Boolean).join(": "),
    iterations: 0,
    output,
    session: null,
    spent: NO_USAGE,
  } as const;
  const { loop, ...facts } = ended;
  return { is: "ended", ended: facts, tell: null };
}

export const runToken = (id: string): string => `run-${id}/`;
