import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { WORK_PATHS } from "../../adapters/git/commit.ts";
import { type FileRecord, readRecord, recordText, uncommittedRecord } from "../../adapters/git/earlier-changes.ts";
import { headOf } from "../../adapters/git/repository.ts";
import { hasBranch, prepareWork } from "../../adapters/git/task-branch.ts";
import { loopWork } from "../../adapters/git/task-refs.ts";
import { removeMerged } from "../../adapters/git/task-worktrees.ts";
import { committedFiles } from "../../adapters/git/tracked.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { isInside } from "../../adapters/io/inside.ts";
import { RalphError } from "../../core/errors.ts";
import { DEFAULT_TURN_TIMEOUTS, type LoopSpec, type LoopWorktree } from "../../core/loop/spec.ts";
import { worktreeName } from "../../core/loop/worktree-name.ts";
import type { SetUpPlan } from "../../core/proof/proof.ts";
import { loopBlobs, type Workspace } from "../../core/workspace.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import { openDriver } from "../../runtime/driver.ts";
import { checkSpec } from "../../runtime/spec-check.ts";
import type { CheckSetting } from "../../verify/command/check.ts";
import { roomFolder } from "../../verify/rooms/room-folder.ts";
import { makeReady } from "../../verify/rooms/room-ready.ts";
import { SETUP_FILES } from "../../verify/rooms/room-setup.ts";

/** A request for a worktree of the loop's own. */
export interface WorktreeRequest {
  /** The name of its branch; null: one is made. */
  name: string | null;
  /** Whether a completed loop is merged into the branch that it started from. */
  merge: boolean;
  setUp: SetUpPlan;
}

/** What working on a loop's worktree needs. */
export interface WorktreeWork {
  workspace: Workspace;
  stops: StopControl;
  /** Gets what happens, one sentence each. */
  say(words: string): void;
}

interface Started {
  id: string;
  spec: LoopSpec;
  protect: string[];
}

/** Creates the worktree of a new loop, from the commit that is checked out, and moves the loop into it. */
export async function openWorktree(work: WorktreeWork, loop: Started, request: WorktreeRequest): Promise<Started> {
  const { id, spec } = loop;
  const { cwd } = spec;
  const branch = loopWork(worktreeName(request.name, { title: spec.title, id }));
  if (checkoutRoot(cwd) !== null && (await hasBranch(cwd, branch))) throw taken(branch);
  const { worktrees } = work.workspace.folder;
  const { worktree: root, target } = await prepareWork({ cwd, task: branch, worktrees });
  const { merge, setUp } = request;
  const moved = movedLoop(loop, { root, branch, target, cwd, merge, setUp });
  try {
    if (!existsSync(moved.spec.cwd)) throw uncommitted(cwd, target);
    await checkSpec(moved.spec);
    await setUpWorktree(work, moved);
    return moved;
  } catch (error) {
    await dropWorktree(work.workspace, moved.spec);
    throw error;
  }
}

/** Removes the worktree of a loop that could not start. */
export async function dropWorktree({ folder: { worktrees } }: Workspace, { worktree }: LoopSpec): Promise<void> {
  if (!worktree) return;
  const { cwd, branch, target } = worktree;
  await removeMerged({ cwd, task: branch, target, worktrees });
}

const taken = (branch: string): RalphError =>
  new RalphError("worktree-exists", `the branch ${branch} already exists`, {
    hint: "choose another name, such as --worktree=<name>, or leave it out; `ralph worktrees` shows what is there",
  });

const uncommitted = (cwd: string, target: string): RalphError =>
  new RalphError("folder-uncommitted", `the folder ${cwd} is not in ${target}, so a worktree would not have it`, {
    hint: "commit it, or run `ralph run --worktree` at the root of the repository",
  });

/** The prompt file stays the user's own: it may be changed while the loop runs. */
function movedLoop({ id, spec, protect }: Started, worktree: LoopWorktree): Started {
  const from = checkoutRoot(spec.cwd) ?? spec.cwd;
  const moved = (path: string) => (isInside(path, from) ? join(worktree.root, relative(from, path)) : path);
  const cwd = moved(spec.cwd);
  const { prompt } = spec;
  const own = "file" in prompt ? { file: relative(cwd, join(spec.cwd, prompt.file)) } : prompt;
  return { id, spec: { ...spec, cwd, worktree, prompt: own }, protect: protect.map(moved) };
}

/** What the worktree was set up with. */
const NOTE = "worktree-ready";

/** Recreates a worktree that was removed, and installs its dependencies again if the files that decide them changed. */
export async function restoreWorktree(work: WorktreeWork, loop: Pick<Started, "id" | "spec">): Promise<void> {
  const { worktree } = loop.spec;
  if (!worktree) return;
  const { cwd, branch, target, root } = worktree;
  if (!existsSync(root)) {
    if (!(await hasBranch(cwd, branch))) throw gone(branch, loop.id);
    await prepareWork({ cwd, task: branch, target, worktrees: work.workspace.folder.worktrees });
    await loopBlobs(work.workspace, loop.id).remove(NOTE);
  }
  await setUpWorktree(work, loop);
}

/** Whether its work is still on a branch of its own. */
export const hasWorktree = async ({ root, cwd, branch }: LoopWorktree): Promise<boolean> =>
  existsSync(root) || (await hasBranch(cwd, branch));

const gone = (branch: string, id: string): RalphError =>
  new RalphError("worktree-gone", `the branch ${branch} of loop ${id} was removed, with its worktree`, {
    hint: "if it was merged, nothing is left to do; otherwise start the work again with `ralph run --worktree`",
  });

/** Installs dependencies as in the worktrees of tasks. Interrupted, it is repeated when the loop is resumed. */
export async function setUpWorktree(work: WorktreeWork, { id, spec }: Pick<Started, "id" | "spec">): Promise<void> {
  const { worktree } = spec;
  if (!worktree) return;
  const { workspace, stops, say } = work;
  const { root, setUp } = worktree;
  const blobs = loopBlobs(workspace, id);
  const key = JSON.stringify([setUp, await committedFiles(root, SETUP_FILES)]);
  if ((await blobs.get(NOTE))?.toString("utf8") === key) return;
  const made = await withSetting(work, { id, spec }, async (setting) =>
    makeReady({
      what: "set-up",
      log: blobs.write("set-up.log"),
      show: (name, result) => (result ? undefined : say(`setting up the worktree: ${name.replace(/^set-up: /, "")}`)),
      cleanRoom: setUp,
      rooms: roomFolder(workspace.folder, worktree.cwd),
      root,
      commit: await headOf(root),
      setting,
    }),
  );
  if (stops.request()) return;
  if (made !== "ready" && made?.is !== "pass" && made !== null) {
    throw new RalphError(
      "worktree-setup",
      `the worktree could not be set up: ${made.name.replace(/^set-up: /, "")}: ${made.reason}`,
      {
        hint: `its output is in ${blobs.write("set-up.log").path}; "ralph": {"worktree": {"setup": "…"}} in the settings sets another command`,
      },
    );
  }
  const record = await uncommittedRecord(root, WORK_PATHS, MOST_FILES);
  if (record && record !== "many") await blobs.put(SET_UP_FILES, recordText(record));
  await blobs.put(NOTE, key);
}

/** What the set-up has left there, which is not the work of the loop. */
export async function setUpFiles({ workspace }: WorktreeWork, id: string): Promise<FileRecord | null> {
  const text = await loopBlobs(workspace, id).get(SET_UP_FILES);
  return text && readRecord(text);
}

const SET_UP_FILES = "worktree-files";
const MOST_FILES = 10_000;

const EXCERPT_CHARS = 4_000;

/** Runs commands in a loop's worktree while no agent works there. Nothing that they start is left running. */
export async function withSetting<T>(
  { workspace, stops }: WorktreeWork,
  { id, spec }: Pick<Started, "id" | "spec">,
  use: (setting: CheckSetting) => Promise<T>,
): Promise<T> {
  const driver = await openDriver(workspace);
  try {
    return await use({
      cwd: spec.cwd,
      env: { RALPH_LOOP: id },
      token: `${id}/${driver.processToken}/`,
      graceMs: DEFAULT_TURN_TIMEOUTS.graceMs,
      stops,
      watchdog: driver.watchdog,
      excerptChars: EXCERPT_CHARS,
    });
  } finally {
    driver.sweep(`${id}/`);
    driver.close();
  }
}
