import { existsSync } from "node:fs";
import { join } from "node:path";
import { headOf } from "../../adapters/git/repository.ts";
import { committedFiles, isUnchangedSince } from "../../adapters/git/tracked.ts";
import { printableText } from "../../core/ansi.ts";
import type { Blobs } from "../../core/blobs.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { CheckResult } from "../../core/loop/results.ts";
import { setUpFrom } from "../../core/proof/proof.ts";
import type { TaskWork } from "../../core/task/work.ts";
import { taskBlobs } from "../../core/workspace.ts";
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
  { worktree, base }: TaskWork,
  first?: () => Promise<void>,
): Promise<string | null> {
  const { settings, stops } = context;
  const blobs = blobsOf(context);
  const files = await committedFiles(worktree, SETUP_FILES);
  const key = JSON.stringify([settings.ralph.worktree, files]);
  if (first) await blobs.remove(NOTE);
  if ((await blobs.get(NOTE))?.toString("utf8") === key) return null;
  const failed = await setUpIn(context, { root: worktree, since: context.ledger.state.onto ?? base, log: "setup" });
  if (failed !== null) return `its worktree could not be set up: ${failed}`;
  if (stops.request()) return null;
  await first?.();
  await blobs.put(NOTE, key);
  return null;
}

interface SetUpRequest {
  root: string;
  /** The commit that the task's own work starts at. */
  since: string;
  /** Names its log file. */
  log: "setup" | "copy";
}

export const SET_UP_FAILED = "setup-failed";

/**
 * Installs dependencies in a checkout of the task. Returns why it failed if the task's own work may be the cause, or
 * null. Throws `setup-failed` otherwise: it would fail for every other task, too.
 */
export async function setUpIn(context: TaskContext, { root, since, log }: SetUpRequest): Promise<string | null> {
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
  // A command of the user may depend on any file.
  const deciding = settings.ralph.worktree?.setup === undefined ? SETUP_FILES : null;
  if (await isUnchangedSince(root, since, deciding)) throw setUpFailed(context, made, log);
  const instead = "ralph.worktree.setup in the settings sets another command";
  return `${made.name}: ${made.reason} (see tasks/${ledger.task.id}/${log}.log in the state folder; ${instead})`;
}

function setUpFailed({ workspace, ledger }: TaskContext, { command, reason, excerpt }: CheckResult, log: string) {
  const { id } = ledger.task;
  const last = printableText(excerpt).trimEnd().split("\n").slice(-LAST_LINES);
  const output = last.join("") === "" ? "" : last.map((line) => `\n  | ${line}`).join("");
  return new RalphError(
    SET_UP_FAILED,
    `the worktree of ${id} could not be set up, so no more tasks are started: ${command}: ${reason}${output}`,
    {
      hint: `fix that, then \`ralph execute\` tries it again and continues; the whole output is in ${join(workspace.folder.root, "tasks", id, `${log}.log`)}; "ralph": {"worktree": {"setup": "<command>"}} in the settings sets another command`,
      exitCode: EXIT.stopped,
    },
  );
}

const LAST_LINES = 10;

/** Records what the worktree was set up with. */
const NOTE = "ready";

const blobsOf = ({ workspace, ledger }: TaskContext): Blobs => taskBlobs(workspace, ledger.task.id);

/** Whether a task's worktree exists and is set up. The user may have removed it. */
export const isReady = async (context: TaskContext, { worktree }: TaskWork): Promise<boolean> =>
  existsSync(worktree) && (await blobsOf(context).size(NOTE)) !== null;
