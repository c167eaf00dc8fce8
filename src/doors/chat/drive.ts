import type { Outbox } from "../../adapters/platforms/outbox.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import { runKind } from "../../core/workflow/kind.ts";
import { hasEnded, phaseOf } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import { openLedger } from "../../engine/ledger.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import { underLease } from "../../runtime/under-lease.ts";
import { workflowPaused } from "../workflow/messages.ts";
import { driveRun } from "../workflow/open.ts";
import { errorText } from "./chat-messages.ts";
import type { ChatRequest } from "./contract.ts";

/** Drives runs and reports to their conversations. An error in one run does not affect the others. */
export function runDriver({ workspace, outbox, log }: Pick<ChatRequest, "workspace" | "log"> & { outbox: Outbox }) {
  return async (run: RunSummary, stops: StopControl): Promise<boolean> => {
    const { id, workflow, conversation } = run;
    if (!conversation) return false;
    try {
      const reporter = outbox.reporter(conversation, id);
      const { status } = await driveRun({ workspace, stops, reporter }, id);
      log(`run ${id} of ${workflow}: ${status}`);
      // A run with any other status would be started again at once, so it is held.
      return phaseOf(status) !== "active";
    } catch (error) {
      log(`run ${id} of ${workflow} broke: ${logText(error)}`);
      return broke(run, error);
    }
  };

  /** A run that could not start has failed; an interrupted one can be resumed, and may have reported that already. */
  async function broke({ id, workflow, conversation }: RunSummary, error: unknown): Promise<boolean> {
    const why = errorText(error);
    const rest = await recordStop(workspace, id, why).catch((fault: unknown) => {
      log(`run ${id} is left as it is: ${logText(fault)}`);
      return "left" as const;
    });
    const content = rest === "paused" ? workflowPaused(workflow, why, id) : `**Failed**: ${workflow}\n\n${why}`;
    if (conversation && (rest === "failed" || rest === "paused"))
      outbox.post({ conversation, content, role: "system", run: id, critical: true });
    return rest !== "left";
  }
}

/** Records that a run is no longer driven. `over`: that is already recorded. `left`: another process drives it. */
async function recordStop(
  workspace: Workspace,
  id: string,
  why: string,
): Promise<"failed" | "paused" | "over" | "left"> {
  const { runs } = workspace;
  const rest = await underLease(workspace, { kind: "run", id }, async (lease) => {
    const { state, write } = openLedger(runKind, await runs.load(id), { now: Date.now, store: runs, lease });
    if (phaseOf(state.status) !== "active") return "over";
    const hasStarted = state.status === "running";
    await write(hasStarted ? { type: "run.paused", why } : { type: "run.ended", status: "failed", detail: why });
    return hasStarted ? "paused" : "failed";
  });
  return rest ?? "left";
}

/** Records that a message of an ended run was dropped. Never throws. */
export async function noteDropped({ runs }: Workspace, id: string, log: (line: string) => void): Promise<void> {
  try {
    const run = await runs.load(id);
    if (!hasEnded(run.state.status)) return;
    await openLedger(runKind, run, { now: Date.now, store: runs }).write({ type: "messages.dropped", count: 1 });
  } catch (error) {
    log(`run ${id}: a message was dropped, and that could not be recorded: ${logText(error)}`);
  }
}

/** An error for the server's log: an unexpected one with its stack. */
export const logText = (error: unknown): string =>
  error instanceof RalphError
    ? [error.message, error.hint].filter(Boolean).join("; ")
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
