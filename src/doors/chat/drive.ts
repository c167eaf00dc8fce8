import type { Outbox } from "../../adapters/platforms/outbox.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/workflow/events.ts";
import { runKind } from "../../core/workflow/kind.ts";
import { ENDED } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import { openLedger } from "../../engine/ledger.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import { workflowPaused } from "../workflow/messages.ts";
import { driveRun } from "../workflow/run.ts";
import { errorWords } from "./chat-messages.ts";

interface Driving {
  workspace: Workspace;
  outbox: Outbox;
  log(line: string): void;
}

/** Drives the runs of conversations, each with its conversation told. One that breaks never stops others. */
export function driveFor({ workspace, outbox, log }: Driving) {
  return async (run: RunSummary, stops: StopControl): Promise<boolean> => {
    const { id, workflow, conversation } = run;
    if (!conversation) return false;
    try {
      const teller = outbox.teller(conversation, id);
      const { status } = await driveRun({ workspace, stops, teller }, id);
      log(`run ${id} of ${workflow}: ${status}`);
      // What is neither over nor interrupted would be taken up again at once.
      return ENDED.has(status) || status === "interrupted";
    } catch (error) {
      log(`run ${id} of ${workflow} broke: ${logWords(error)}`);
      return broke(run, error);
    }
  };

  /** What could not even begin has failed; what was cut short can be gone on with, and may have said so already. */
  async function broke({ id, workflow, conversation }: RunSummary, error: unknown): Promise<boolean> {
    const words = errorWords(error);
    const rest = await comeToRest(workspace, id, words).catch((fault: unknown) => {
      log(`run ${id} is left as it is: ${logWords(fault)}`);
      return "left" as const;
    });
    const content = rest === "paused" ? workflowPaused(workflow, words, id) : `**Failed**: ${workflow}\n\n${words}`;
    if (conversation && (rest === "failed" || rest === "paused"))
      outbox.say({ conversation, content, role: "system", run: id, critical: true });
    return rest !== "left";
  }
}

/** Writes down that a run is not driven any more. `over`: that was written before. `left`: somebody else drives it. */
async function comeToRest(
  workspace: Workspace,
  id: string,
  why: string,
): Promise<"failed" | "paused" | "over" | "left"> {
  const lease = await workspace.leases.take({ kind: "run", id });
  if (!lease) return "left";
  try {
    const { runs } = workspace;
    const run = await runs.load(id);
    const { status } = run.state;
    if (ENDED.has(status) || status === "interrupted") return "over";
    const hasBegun = status === "running";
    const event: RunEvent = hasBegun
      ? { type: "run.paused", why }
      : { type: "run.ended", status: "failed", detail: why };
    await openLedger(runKind, run, { now: Date.now, store: runs, lease }).write(event);
    return hasBegun ? "paused" : "failed";
  } finally {
    lease.release();
  }
}

/** Writes down that nobody could be told a message of a run that is over. Never throws. */
export async function noteDropped({ runs }: Workspace, id: string, log: (line: string) => void): Promise<void> {
  try {
    const run = await runs.load(id);
    if (!ENDED.has(run.state.status)) return;
    await openLedger(runKind, run, { now: Date.now, store: runs }).write({ type: "messages.dropped", count: 1 });
  } catch (error) {
    log(`run ${id}: a message was dropped, which could not be noted: ${logWords(error)}`);
  }
}

/** An error for whoever runs the server: one that nobody foresaw with where it comes from. */
export const logWords = (error: unknown): string =>
  error instanceof RalphError
    ? [error.message, error.hint].filter(Boolean).join("; ")
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
