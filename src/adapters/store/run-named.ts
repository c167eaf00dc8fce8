import { EXIT, nullOn, RalphError } from "../../core/errors.ts";
import type { LoopSummary } from "../../core/store.ts";
import { ENDED } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Workspace } from "./workspace.ts";

/** A run in a list, with whether anybody drives it just now. */
export interface DrivenRun extends RunSummary {
  held: boolean;
}

/** Asks the lease, not the journal: a driver that was killed could not write that it is gone. */
export async function withRunHolder(workspace: Workspace, run: RunSummary): Promise<DrivenRun> {
  if (run.status !== "running") return { ...run, held: false };
  return { ...run, held: await workspace.leases.isTaken({ kind: "run", id: run.id }) };
}

export const withRunHolders = (workspace: Workspace, runs: readonly RunSummary[]): Promise<DrivenRun[]> =>
  Promise.all(runs.map((run) => withRunHolder(workspace, run)));

/** The run that is meant; null where there is none, and it may be a loop or a task that is meant. */
export async function runNamed({ runs }: Workspace, wanted: string): Promise<RunSummary | null> {
  return wanted === "last" ? null : runs.find(wanted).catch(nullOn("run-unknown"));
}

/** A run that can be gone on with. */
export async function resumableRun({ runs }: Workspace, wanted: string): Promise<RunSummary> {
  const run = await runs.find(wanted);
  if (!ENDED.has(run.status)) return run;
  const [left] = await runs.list({ status: ["interrupted", "running"], limit: 1 });
  throw new RalphError("run-ended", `run ${run.id} of ${run.workflow} has ended: ${run.status}`, {
    hint: `\`ralph workflow run ${run.workflow}\` starts another one; \`ralph why ${run.id}\` tells about this one${left ? leftBefore(left) : ""}`,
    exitCode: EXIT.stopped,
  });
}

/** An older one is not gone on with unasked: somebody may have left it for good. */
const leftBefore = ({ id, workflow }: RunSummary): string =>
  `; \`ralph workflow resume ${id}\` goes on with one of ${workflow} that was left`;

/** The loops of a run in the order in which they began, as far as anybody looks at them. */
export const loopsOfRun = async ({ store }: Workspace, run: string): Promise<LoopSummary[]> =>
  (await store.summaries({ run, limit: MOST_LOOPS })).reverse();

const MOST_LOOPS = 1_000;
