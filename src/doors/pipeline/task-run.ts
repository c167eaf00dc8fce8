import { decideTask, type TaskDecision } from "../../core/task/decide.ts";
import { type TaskContext, type TaskEnd, workOf } from "./context.ts";
import { mergeTask, moveIn } from "./merge/merge-run.ts";
import { prepareTask } from "./prepare.ts";
import { isReady } from "./ready.ts";
import { runStage } from "./stage/stage-run.ts";

/** Works on a task until there is nothing more to do for it, or somebody wants it to stop. */
export async function runTask(context: TaskContext): Promise<TaskEnd> {
  const { ledger, stops } = context;
  while (true) {
    const next = decideTask(ledger.state);
    // What is merged stays so, whoever wanted it to stop meanwhile.
    if (next.do === "rest" && next.as === "done") return next.as;
    const request = stops.request();
    if (request?.as === "cancelled") {
      await ledger.write({ type: "task.cancelled", by: request.by });
      return "held";
    }
    if (request) return "left";
    if (next.do === "rest") return next.as;
    const end = await perform(context, next);
    if (end) return end;
  }
}

/** Null: it goes on. */
async function perform(context: TaskContext, next: Exclude<TaskDecision, { do: "rest" }>): Promise<TaskEnd | null> {
  // What was proven needs no worktree any more; all else does, and somebody may have removed it.
  const needsWork = next.do !== "prepare" && next.do !== "move";
  if (needsWork && !(await isReady(context, workOf(context)))) return prepareTask(context);
  switch (next.do) {
    case "prepare":
      return prepareTask(context);
    case "stage":
      return runStage(context, next);
    case "merge":
      return mergeTask(context);
    case "move":
      return moveIn(context, next);
  }
}
