import { existsSync } from "node:fs";
import { committedFiles } from "../../adapters/git/committed.ts";
import { headOf } from "../../adapters/git/repository.ts";
import { taskBlobs } from "../../adapters/store/workspace.ts";
import type { Blobs } from "../../core/blobs.ts";
import { setUpFrom } from "../../core/proof/proof.ts";
import type { TaskWork } from "../../core/task/events.ts";
import { roomFolder } from "../../verify/rooms/room-folder.ts";
import { makeReady } from "../../verify/rooms/room-ready.ts";
import { SETUP_FILES } from "../../verify/rooms/room-setup.ts";
import { folderIn, taskCheckSetting } from "./commands.ts";
import type { TaskContext } from "./context.ts";

const SET_UP = "set-up";
/**
 * Gives a task's worktree its dependencies, once, and again where what decides them has changed. `first` is for a
 * worktree that is new: what has to be written down before it counts as ready. Null: it is ready, or somebody wants to
 * stop; else why it is not.
 */
export async function makeWorkReady(
  context: TaskContext,
  { worktree }: TaskWork,
  first?: () => Promise<void>,
): Promise<string | null> {
  const { settings, stops } = context;
  const blobs = blobsOf(context);
  const files = await committedFiles(worktree, SETUP_FILES);
  const key = JSON.stringify([settings.ralph.worktree, files]);
  if (first) await blobs.remove(NOTE);
  if ((await blobs.get(NOTE))?.toString("utf8") === key) return null;
  const failed = await setUpIn(context, worktree, "setup");
  if (failed !== null) return `its worktree could not be made ready: ${failed}`;
  if (stops.request()) return null;
  await first?.();
  await blobs.put(NOTE, key);
  return null;
}

/**
 * Gives a checkout of the task its dependencies, from the cache or by the set-up; `log` names the file that takes what
 * that prints. Null: it has them, or somebody wants to stop; else why not.
 */
export async function setUpIn(context: TaskContext, root: string, log: "setup" | "copy"): Promise<string | null> {
  const { workspace, cwd, view, ledger, settings } = context;
  const scene = { task: ledger.task.id, place: "work" } as const;
  const made = await makeReady({
    what: SET_UP,
    log: blobsOf(context).write(`${log}.log`),
    show: (name, result) => view.check(scene, SET_UP, name.slice(`${SET_UP}: `.length), result),
    cleanRoom: setUpFrom(settings.ralph.worktree ?? {}),
    rooms: roomFolder(workspace.folder, cwd),
    root,
    commit: await headOf(root),
    setting: taskCheckSetting(context, folderIn(root, cwd)),
  });
  if (made === null || made === "ready") return null;
  const instead = "ralph.worktree.setup in the settings names another command";
  return `${made.name}: ${made.reason} (see ${made.log}; ${instead})`;
}

/** Says what the worktree was made ready with. */
const NOTE = "ready";

const blobsOf = ({ workspace, ledger }: TaskContext): Blobs => taskBlobs(workspace, ledger.task.id);

/** Whether a task's worktree is there, and has been made ready: it lies where people tidy up. */
export const isReady = async (context: TaskContext, { worktree }: TaskWork): Promise<boolean> =>
  existsSync(worktree) && (await blobsOf(context).size(NOTE)) !== null;
