import { mergeBase, parentOf } from "../../../adapters/git/history.ts";
import type { CopyOfWork, LoopSpec, TaskPart } from "../../../core/loop/spec.ts";
import { type AgentRole, isStage, type LoopRole, ROLES } from "../../../core/task/role.ts";
import { checkSpec } from "../../../runtime/spec-check.ts";
import type { RecordRef } from "../../../verify/tamper/protection-record.ts";
import { folderIn } from "../commands.ts";
import { type TaskContext, workOf } from "../context.ts";
import { taskRecordRef } from "../pins/task-record.ts";
import { isAdaptive, type Suggestion, suggestion } from "./adaptive.ts";
import { dependencyChecks } from "./dependency-checks.ts";
import { conflictSpec, type StageLoop, stageSpec } from "./stage.ts";

export interface PlannedLoop {
  spec: LoopSpec;
  protect: readonly string[];
  record: RecordRef;
  warnings: readonly string[];
}

export async function stageLoop(context: TaskContext, place: LoopRole, copy?: CopyOfWork): Promise<PlannedLoop> {
  const { settings, budget } = context;
  const { spec, warnings } = await madeFor(context, place, copy);
  // Rejects a cost budget that the agent cannot report against; the loop itself has no cost limit.
  await checkSpec({ ...spec, limits: { ...spec.limits, maxCostUsd: spec.limits.maxCostUsd ?? budget.maxCostUsd } });
  return { spec, protect: settings.protect, record: taskRecordRef(context), warnings };
}

const MOST_LOOPS = 2_000;

async function suggestedBy({ ledger, settings, workspace }: TaskContext, place: AgentRole): Promise<Suggestion | null> {
  if (!isAdaptive(ledger.task, place, settings.all)) return null;
  return suggestion(place, await workspace.store.summaries({ limit: MOST_LOOPS }), settings.all);
}

type AtStart = Pick<TaskPart, "was" | "counted">;

/** The results of the coder's checks from when the branch started, if an earlier loop ran them. */
async function answersAtStart({ ledger, workspace }: TaskContext, base: string): Promise<AtStart | null> {
  const loops = await workspace.store.summaries({ task: ledger.task.id });
  for (const { id, part } of loops.toReversed()) {
    if (!part || !ROLES[part.place].measuresProof) continue;
    const { spec, baseline } = (await workspace.store.load(id)).state;
    if (baseline && spec?.part?.base === base) return spec.part.was ? spec.part : baseline;
  }
  return null;
}

async function madeFor(context: TaskContext, place: LoopRole, copy: CopyOfWork | undefined): Promise<StageLoop> {
  const { ledger, settings, cwd, stages, id, pins } = context;
  const { task, state } = ledger;
  const { worktree, base, target } = workOf(context);
  const request = {
    task,
    spec: await pins.spec(task.specId),
    settings: settings.all,
    agents: settings.agents[place],
    stages,
    cwd: folderIn(copy?.root ?? worktree, cwd),
    ...(copy ? { copy } : {}),
    base: state.onto ?? base,
    proven: state.proven,
    execution: id,
    needed: (await dependencyChecks(context)).map(({ check }) => check),
  };
  if (isStage(place)) {
    const findings = ROLES[place].implements ? state.findings : null;
    const past = await suggestedBy(context, place);
    const loop = stageSpec({
      ...request,
      place,
      findings,
      failure: state.failure,
      again: state.tried,
      atStart: ROLES[place].measuresProof && state.tried ? await answersAtStart(context, base) : null,
      limits: past ? { maxIterations: past.maxIterations } : {},
    });
    return past ? { ...loop, warnings: [...loop.warnings, past.why] } : loop;
  }
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
