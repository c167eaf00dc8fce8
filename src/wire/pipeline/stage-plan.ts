import type { LoopSpec } from "../../core/loop/spec.ts";
import type { Place } from "../../core/task/role.ts";
import { mergeBase, parentOf } from "../../git/history.ts";
import { conflictSpec, type StageLoop, stageSpec } from "../../pipeline/stage.ts";
import { checkSpec } from "../spec-check.ts";
import type { Trust } from "../trust.ts";
import { folderIn } from "./commands.ts";
import { type TaskContext, workOf } from "./context.ts";
import { trustOf } from "./trust.ts";

/** A loop of a task that can be started. */
export interface PlannedLoop {
  spec: LoopSpec;
  protect: readonly string[];
  trust: Trust;
  warnings: readonly string[];
}

/** The loop that works on one place of a task. */
export async function loopOf(context: TaskContext, place: Place): Promise<PlannedLoop> {
  const { settings, budget } = context;
  const { spec, warnings } = await madeFor(context, place);
  // A budget that nobody could keep is refused; the loop itself has no limit of its own.
  await checkSpec({ ...spec, limits: { ...spec.limits, maxCostUsd: spec.limits.maxCostUsd ?? budget.maxCostUsd } });
  return { spec, protect: settings.protect, trust: trustOf(context), warnings };
}

async function madeFor(context: TaskContext, place: Place): Promise<StageLoop> {
  const { ledger, settings, cwd, stages, id, workspace } = context;
  const { task, state } = ledger;
  const { worktree, base, target } = workOf(context);
  const request = {
    task,
    spec: await workspace.tasks.spec(task.specId),
    settings: settings.all,
    agents: settings.agents[place],
    stages,
    cwd: folderIn(worktree, cwd),
    base: state.onto ?? base,
    execution: id,
  };
  if (place !== "conflict")
    return stageSpec({ ...request, place, findings: place === "coder" ? state.findings : null });
  const theirs = state.onto ?? base;
  const ours = state.updated === null ? base : await parentOf(worktree, state.updated);
  return conflictSpec({
    ...request,
    base: await mergeBase(worktree, ours, theirs),
    files: state.conflicts,
    ours,
    theirs,
    target,
  });
}
