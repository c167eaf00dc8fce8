import { makeCandidate } from "../../adapters/git/candidate.ts";
import { commitOnce } from "../../adapters/git/commit.ts";
import { hardenedGit } from "../../adapters/git/hardened-git.ts";
import { mergeTrees } from "../../adapters/git/merge-trees.ts";
import { type Move, moveTarget } from "../../adapters/git/move-target.ts";
import { checkOut, openCheckout } from "../../adapters/git/reset-checkout.ts";
import { branchRef, commitAt, swapRef } from "../../adapters/git/task-refs.ts";
import { branchState, removeMerged } from "../../adapters/git/task-worktrees.ts";
import { bringUpToDate } from "../../adapters/git/update.ts";
import { pause } from "../../adapters/io/timer.ts";
import { cut, firstNamed } from "../../core/excerpt.ts";
import type { LoopSpec, LoopWorktree } from "../../core/loop/spec.ts";
import { type LoopState, stopOf } from "../../core/loop/state.ts";
import { exitCodeOf } from "../../core/loop/stop-reasons.ts";
import { isLevel } from "../../core/proof/level.ts";
import { commandStage, isCommand } from "../../core/proof/methods/external.ts";
import { leavesOf, uniquelyNamed } from "../../core/proof/proof.ts";
import { loopBlobs } from "../../core/workspace.ts";
import { runExternal } from "../../verify/methods/external.ts";
import { runStages, stageRunner } from "../../verify/stages.ts";
import { setUpFiles, setUpWorktree, type WorktreeWork, withSetting } from "./worktree.ts";

/** What has become of a loop's worktree. */
export interface WorktreeEnd extends Pick<LoopWorktree, "branch" | "root" | "target" | "merge"> {
  /** The number of commits that the target does not have; null if unknown. */
  ahead: number | null;
  merged: boolean;
  /** Why its branch and worktree stay although it is merged; null if they are removed, or it is not merged. */
  kept: string | null;
  /** Why it was not committed or merged; null if it was, or was not wanted. */
  why: string | null;
}

interface Stopped {
  id: string;
  spec: LoopSpec;
  state: LoopState;
}

/** Commits what a stopped loop has left in its worktree, and merges it if that was asked for and the loop completed. */
export async function finishWorktree(work: WorktreeWork, loop: Stopped): Promise<WorktreeEnd | null> {
  const { worktree, strict } = loop.spec;
  if (!worktree) return null;
  const { branch, root, target, merge } = worktree;
  const { reason } = stopOf(loop.state);
  // An interrupted loop continues with its files as they are.
  const isOver = reason !== "interrupted";
  const uncommitted = isOver ? await commitWork(work, loop, root) : null;
  const isComplete = isLevel(reason) && exitCodeOf(reason, strict) === 0;
  const wanted = merge && isComplete && uncommitted === null;
  const end = wanted ? await mergeWork(work, loop, worktree) : null;
  const state = await branchState(worktree.cwd, { branch, head: null, worktree: null, aside: [] }, target);
  const known = { branch, root, target, merge };
  if (end?.is === "merged") return { ...known, ahead: 0, merged: true, kept: end.kept, why: null };
  return { ...known, ahead: state.ahead, merged: false, kept: null, why: uncommitted ?? end?.why ?? null };
}

/** Null: everything is committed. */
async function commitWork(work: WorktreeWork, { id, spec, state }: Stopped, root: string): Promise<string | null> {
  const key = `${id}/end-${state.epoch}`;
  const earlier = await setUpFiles(work, id);
  const settled = await commitOnce({ cwd: root, subject: async () => spec.title, key, before: "", earlier });
  return settled.is === "failed" ? `its last changes could not be committed: ${settled.detail}` : null;
}

const LOOK_MS = 100;
/** How often the target may move while the result is checked. */
const TRIES = 5;

/** Merges one at a time, together with tasks. */
async function mergeWork(work: WorktreeWork, loop: Stopped, worktree: LoopWorktree): Promise<MergeEnd> {
  const { workspace, stops } = work;
  let lease = await workspace.leases.take("merge");
  while (!lease && !stops.request()) {
    await pause(LOOK_MS, stops.soft);
    lease = await workspace.leases.take("merge");
  }
  if (!lease) return { is: "kept", why: "interrupted" };
  try {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const merged = await tryMerge(work, loop, worktree);
      if (merged.is !== "outdated") return merged;
    }
    return { is: "kept", why: `${worktree.target} moves faster than the checks run` };
  } finally {
    lease.release();
  }
}

type MergeEnd = { is: "merged"; kept: string | null } | { is: "kept"; why: string };

async function tryMerge(
  work: WorktreeWork,
  loop: Stopped,
  worktree: LoopWorktree,
): Promise<MergeEnd | { is: "outdated" }> {
  const { root, branch, target, cwd } = worktree;
  const conflicts = await conflictsOf(worktree);
  if (conflicts !== null) return { is: "kept", why: conflicts };
  const run = await hardenedGit(root, { whose: "ralph" });
  const before = await commitAt(run, branchRef(branch));
  const update = await bringUpToDate({ worktree: root, branch, target, task: branch });
  if (update.is === "failed") return { is: "kept", why: update.why };
  if (update.is !== "current" && update.is !== "merged") return { is: "kept", why: "its branch has changed meanwhile" };
  const { head, onto } = update;
  if (update.is === "merged") {
    const why = await checkMerged(work, loop, worktree);
    if (why !== null) {
      // The branch is again what was proven.
      await swapRef(run, branchRef(branch), { to: before ?? head, from: head, why: "ralph: not merged" });
      await checkOut(run);
      return { is: "kept", why };
    }
  }
  const commit = update.is === "current" ? head : await candidateOf(loop, worktree, { head, onto });
  if (commit === null) return { is: "kept", why: "git could not make the merge commit" };
  const moved = await moveTarget({ cwd, target, commit, onto });
  if (moved.is === "outdated") return { is: "outdated" };
  if (moved.is !== "moved" && moved.is !== "there") return { is: "kept", why: moveWords(moved, target) };
  const { worktrees } = work.workspace.folder;
  const removal = await removeMerged({ cwd, task: branch, target, worktrees });
  return { is: "merged", kept: removal.is === "kept" ? removal.why : null };
}

/** Why the two branches cannot be merged without a decision, or null. Nothing is changed. */
async function conflictsOf({ root, branch, target }: LoopWorktree): Promise<string | null> {
  const checkout = await openCheckout(root, branch);
  if (typeof checkout === "string") return checkout;
  const [ours, theirs] = [branch, target].map((name) => commitAt(checkout.run, branchRef(name)));
  const sides = { ours: (await ours) ?? "", theirs: (await theirs) ?? "", branch, target };
  if (sides.theirs === "") return `the branch ${target} is gone`;
  const merged = await mergeTrees(checkout, sides);
  if (merged.is === "failed") return merged.why;
  if (merged.conflicts.length === 0) return null;
  return `it conflicts with ${target} in ${firstNamed(merged.conflicts.map(({ path }) => path))}`;
}

const MAX_PARALLEL = 4;
const EXCERPT_CHARS = 1_500;

/** Runs the loop's commands on exactly the tree that the target would get. Returns why it must not get it, or null. */
async function checkMerged(work: WorktreeWork, loop: Stopped, { target }: LoopWorktree): Promise<string | null> {
  const { workspace, stops, say } = work;
  const { id, spec, state } = loop;
  say(`${target} has moved on: the checks run again on the merged result`);
  await setUpWorktree(work, loop);
  const commands = spec.proof.stages.filter((stage) => leavesOf([stage]).every(isCommand));
  const guardrails = spec.guardrails.map(({ command, timeoutMs }) => ({ ...commandStage(command), timeoutMs }));
  const stages = uniquelyNamed([...commands, ...guardrails]);
  const blobs = loopBlobs(workspace, id);
  const results = await withSetting(work, loop, async (setting) => {
    const run = stageRunner({
      stages,
      log: (place) => blobs.write(`merge-${state.epoch}-${place}.log`),
      show: () => undefined,
      run: async (leaf, at) => (isCommand(leaf) ? runExternal.run(leaf, at, { setting }) : null),
    });
    return runStages(stages, { maxParallel: MAX_PARALLEL, run });
  });
  if (!results || stops.request()) return "interrupted";
  const failing = results.find(({ is, optional }) => is !== "pass" && !optional);
  if (!failing) return null;
  const shown = failing.excerpt.trim() === "" ? "" : `\n${cut(failing.excerpt.trim(), EXCERPT_CHARS)}`;
  return `merged with the current ${target}, ${failing.name} does not pass: ${failing.reason}${shown}`;
}

async function candidateOf({ spec }: Stopped, { root, branch }: LoopWorktree, at: { head: string; onto: string }) {
  const made = await makeCandidate({ worktree: root, task: branch, title: spec.title, ...at });
  return made.is === "made" ? made.commit : null;
}

function moveWords(moved: Exclude<Move, { is: "moved" | "there" | "outdated" }>, target: string): string {
  if (moved.is === "failed") return `${target} could not be moved: ${moved.why}`;
  if (moved.is === "busy") return `${target} is checked out in ${moved.checkout}, and ${moved.why}`;
  return `${target} is checked out in ${moved.checkout} with uncommitted changes, which are not touched: ${firstNamed(moved.files)}`;
}
