import { existsSync } from "node:fs";
import { headOf } from "../../adapters/git/repository.ts";
import { committedFiles } from "../../adapters/git/tracked.ts";
import { taskBlobs } from "../../adapters/store/workspace.ts";
import type { Blobs } from "../../core/blobs.ts";
import { setUpFrom } from "../../core/proof/proof.ts";
import type { TaskWork } from "../../core/task/work.ts";
import { roomFolder } from "../../verify/rooms/room-folder.ts";
import { makeReady } from "../../verify/rooms/room-ready.ts";
import { SETUP_FILES } from "../../verify/rooms/room-setup.ts";
import { folderIn, taskCheckSetting } from "./commands.ts";
import type { TaskContext } from "./context.ts";

const SET_UP = "set-up";

/**
 * Installs dependencies in a task's worktree, again if the files that decide them have changed. `first` runs for a new
 * worktree before it counts as ready. Returns the reason for a failure, or null if it is ready or a stop was requested.
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
  if (failed !== null) return `its worktree could not be set up: ${failed}`;
  if (stops.request()) return null;
  await first?.();
  await blobs.put(NOTE, key);
  return null;
}

/** Installs dependencies in a checkout of the task. `log` names its log file. Returns why it failed, or null. */
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
  const instead = "ralph.worktree.setup in the settings sets another command";
  return `${made.name}: ${made.reason} (see tasks/${ledger.task.id}/${log}.log in the state folder; ${instead})`;
}

/** Records what the worktree was set up with. */
const NOTE = "ready";

const blobsOf = ({ workspace, ledger }: TaskContext): Blobs => taskBlobs(workspace, ledger.task.id);

/** Whether a task's worktree exists and is set up. The user may have removed it. */
export const isReady = async (context: TaskContext, { worktree }: TaskWork): Promise<boolean> =>
  existsSync(worktree) && (await blobsOf(context).size(NOTE)) !== null;
