import { relative } from "node:path";
import { makeCandidate } from "../../../adapters/git/candidate.ts";
import { type Move, moveTarget } from "../../../adapters/git/move-target.ts";
import { removeMerged } from "../../../adapters/git/task-worktrees.ts";
import { bringUpToDate, type Update } from "../../../adapters/git/update.ts";
import { isInside } from "../../../adapters/io/inside.ts";
import { pause } from "../../../adapters/io/timer.ts";
import { firstNamed } from "../../../core/excerpt.ts";
import type { Lease } from "../../../core/lease.ts";
import type { TaskWork } from "../../../core/task/work.ts";
import type { Workspace } from "../../../core/workspace.ts";
import type { StopControl } from "../../../engine/stop-control.ts";
import { blocked, orBlocked, type TaskContext, type TaskEnd, withoutPaths, workOf } from "../context.ts";
import { markableSource, markInCheckout, markInWork } from "../import/mark-source-done.ts";
import { renewTaskRecord } from "../pins/task-record.ts";
import { prepareTask } from "../prepare.ts";
import { isReady, makeWorkReady } from "../ready.ts";
import { stageLoop } from "../stage/stage-plan.ts";
import { checkMerge } from "./merge-checks.ts";

/** Updates the branch from the target and checks the result before it creates the merge commit and moves the target. */
export const mergeTask = (context: TaskContext): Promise<TaskEnd | null> => inTurn(context, () => merge(context));

interface Candidate {
  commit: string;
  onto: string;
}

/** Moves the target to the proven commit, unless that is already merged. */
export const moveIn = (context: TaskContext, candidate: Candidate): Promise<TaskEnd | null> =>
  inTurn(context, () => move(context, candidate));

const LOOK_MS = 100;

/**
 * Merges one task at a time, across all processes. Only one task of this process polls for the lease, because a failed
 * attempt blocks the process. Null if a stop was requested while waiting.
 */
async function inTurn(context: TaskContext, work: () => Promise<TaskEnd | null>): Promise<TaskEnd | null> {
  const { workspace, stops, merging, beat, ledger } = context;
  const leaveQueue = beat.joinMerges(ledger.task.id);
  const leave = await merging.take(stops.soft);
  try {
    const lease = leave && (await leaseOf(workspace, stops));
    return lease && (await work().finally(lease.release));
  } finally {
    leave?.();
    leaveQueue();
  }
}

async function leaseOf({ leases }: Workspace, stops: StopControl): Promise<Lease | null> {
  while (!stops.request()) {
    const lease = await leases.take("merge");
    if (lease) return lease;
    await pause(LOOK_MS, stops.soft);
  }
  return null;
}

async function merge(context: TaskContext): Promise<TaskEnd | null> {
  const { ledger } = context;
  const work = workOf(context);
  const { onto: known, proven } = ledger.state;
  const mark = markableSource(ledger.task.metadata)?.path ?? null;
  const update = await bringUpToDate({
    ...work,
    task: ledger.task.id,
    known,
    proven: proven === null ? null : { commit: proven, mark },
  });
  if (update.is === "failed") return blocked(context, `its branch could not be brought up to date: ${update.why}`);
  for (const ref of update.aside)
    context.view.say(ledger.task.id, `uncommitted files of its worktree are kept in ${ref}`);
  if (update.is === "unproven") {
    await ledger.write({ type: "merge.refused", findings: [unprovenWords(work.branch, proven, update.head)] });
    return null;
  }
  if (!(await orBlocked(context, () => noteUpdate(context, update)))) return null;
  if (update.is === "conflicted") return null;
  const unready = await makeWorkReady(context, work);
  return unready === null ? prove(context, work, update) : blocked(context, unready);
}

/** The branch has moved since it was verified, by an agent or the user. */
const unprovenWords = (branch: string, proven: string | null, head: string): string =>
  `${branch} is at ${head}, but the verified commit is ${proven ?? "none"} (\`git diff ${proven ?? ""} ${head}\`): revert what does not belong there, or complete it; everything is reviewed again`;

async function noteUpdate(context: TaskContext, update: Exclude<Update, { is: "failed" | "unproven" }>): Promise<true> {
  const { onto, head } = update;
  const conflicts = update.is === "conflicted" ? update.conflicts.map(({ path }) => path) : [];
  const { spec } = await stageLoop(context, context.stages.at(-1) ?? "qa");
  const fingerprints = await renewTaskRecord(context, spec, conflicts.length > 0 ? { onto, conflicts } : undefined);
  await context.ledger.write({ type: "work.updated", onto, head, conflicts, fingerprints });
  return true;
}

/** Runs the checks of all the task's stages on exactly the tree that the target would get. */
async function prove(context: TaskContext, work: TaskWork, { onto, head }: { onto: string; head: string }) {
  const { ledger, stops } = context;
  const marked = await markInWork(context, work, head);
  const found = await orBlocked(context, () => checkMerge(context, work));
  if (!found || stops.request()) return null;
  if (found.failing.length > 0) {
    await ledger.write({ type: "merge.refused", findings: found.failing });
    return null;
  }
  if (found.unknown.length > 0)
    return blocked(context, `it could not be checked whether it may be merged: ${found.unknown[0]}`);
  const { id, title } = ledger.task;
  const candidate = await makeCandidate({ worktree: work.worktree, task: id, title, head: marked, onto });
  if (candidate.is === "failed") return blocked(context, `it could not be merged: ${candidate.why}`);
  await ledger.write({ type: "merge.proven", commit: candidate.commit, onto });
  return move(context, { commit: candidate.commit, onto });
}

async function move(context: TaskContext, { commit, onto }: Candidate): Promise<TaskEnd | null> {
  const { cwd, ledger } = context;
  const work = workOf(context);
  const { target } = work;
  const moved = await moveTarget({ cwd, target, commit, onto });
  switch (moved.is) {
    case "moved":
    case "there":
      await markInCheckout(context, work);
      await ledger.write({ type: "task.merged", commit });
      await tidyUp(context, target);
      return null;
    case "outdated":
      // The target has moved in the meantime, so the proof is for another result.
      return (await isReady(context, work)) ? merge(context) : prepareTask(context);
    default:
      await ledger.write({ type: "merge.waits", why: withoutPaths(context, waitWords(moved, target, cwd)) });
      return "waits";
  }
}

/** Removes the worktree of a merged task, unless it contains anything that is not merged. */
async function tidyUp({ cwd, ledger, workspace, view }: TaskContext, target: string): Promise<void> {
  const task = ledger.task.id;
  const removal = await removeMerged({ cwd, task, target, worktrees: workspace.folder.worktrees });
  if (removal.is === "kept") view.say(task, `its worktree is kept: ${removal.why}`);
}

function waitWords(moved: Exclude<Move, { is: "moved" | "there" | "outdated" }>, target: string, cwd: string): string {
  if (moved.is === "failed") return `${target} could not be moved (${moved.why}); \`ralph execute\` tries again`;
  const isHere = isInside(cwd, moved.checkout);
  const where = isHere ? "is checked out" : `is checked out in ${relative(cwd, moved.checkout)}`;
  const goOn = `then \`ralph execute\` continues`;
  if (moved.is === "busy") return `${target} ${where}, and ${moved.why}: finish that, ${goOn}`;
  const files = firstNamed(moved.files);
  if (moved.untracked)
    return `${target} ${where}, and files that git does not track are in the way (${files}): move them, ${goOn}`;
  return `${target} ${where} with uncommitted changes to the same files (${files}), which are not touched: commit or stash them, ${goOn}`;
}
