import { counted } from "../../../core/excerpt.ts";
import { isStage } from "../../../core/task/role.ts";
import { cancelLoopOf } from "../../../runtime/cancel-loop.ts";
import { partLoopState } from "../../../runtime/part-loop.ts";
import type { ExecutionContext, TaskLedger } from "../context.ts";

/** What an unfinished loop keeps, and how to change that. */
export const keptWords = (place: string, kept: readonly string[]): string =>
  `its ${place} loop continues with the settings it began with: ${kept.join("; ")}. \`ralph execute --restart\` begins unfinished tasks again with those of now`;

type RestartContext = Pick<ExecutionContext, "workspace" | "view"> & { ledger: TaskLedger };

/** `--restart`: an interrupted task begins again with the settings of now. Its branch and everything on it stay. */
export async function restartTask({ workspace, view, ledger }: RestartContext): Promise<void> {
  const { task, state } = ledger;
  const { work, loop } = state;
  if (!work || !(isStage(state.at) || loop !== null)) return;
  const dropped = loop === null ? null : await partLoopState(workspace.store, loop);
  await ledger.write({ type: "task.restarted", by: RESTART });
  if (loop !== null) await cancelLoopOf(workspace, loop, RESTART);
  const lost = dropped ? `; dropped: its ${state.at} loop ${loop} (${counted(dropped.n, "iteration")})` : "";
  view.say(
    task.id,
    `begins again at ${ledger.state.at} with the settings of now (--restart): ${work.branch} and its commits stay${lost}`,
  );
}

const RESTART = "ralph execute --restart";
