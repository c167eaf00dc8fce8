import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type LeftOut, leftOutOf } from "../../adapters/git/left-out.ts";
import { headOf } from "../../adapters/git/repository.ts";
import { snapshotFolder } from "../../adapters/git/snapshot-folder.ts";
import { isAsCaptured, makeComparing, openSnapshots } from "../../adapters/git/snapshots.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { temporaryFolder } from "../../adapters/io/environment.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import { isOfThisMachine } from "../../core/fingerprints.ts";
import type { Fingerprints } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import type { Workspace } from "../../core/workspace.ts";
import { loopNamed, taskNamed } from "../../engine/named.ts";
import { type Recorded, recordedIn, taskSpan } from "./span.ts";

/** Two trees in one of Ralph's repositories, and notes about them. */
export interface Comparison {
  of: { loop: string } | { task: string };
  /** Trees or commits. */
  from: string;
  to: string;
  /** Ralph's repository that has both. */
  folder: string;
  /** Files of the checkout that were protected by name. */
  guarded: ReadonlySet<string>;
  /** Files that differ, or may differ, and are in no snapshot. */
  leftOut: readonly LeftOut[];
  notes: readonly string[];
  close(): void;
}

const NEVER = new AbortController().signal;

/** What a loop, one of its iterations, or a task has changed. Throws if that is unknown. */
export async function comparisonOf(workspace: Workspace, wanted: string, iteration: number | null) {
  const task = iteration === null ? await taskNamed(workspace, wanted) : null;
  return task ? taskComparison(workspace, task.id) : loopComparison(workspace, wanted, iteration);
}

/** What a loop, or one of its iterations, has changed. */
export async function loopComparison(
  workspace: Workspace,
  wanted: string,
  iteration: number | null,
): Promise<Comparison> {
  const loop = await loopNamed(workspace, wanted);
  const { state } = await workspace.store.load(loop.id);
  if (!state.spec?.tracked) throw untracked(loop.id);
  const recorded = await recordedIn(workspace.store.entries(loop.id));
  return iteration === null
    ? ofLoop(workspace, { loop, state, recorded })
    : ofIteration(workspace, { loop, state, recorded }, iteration);
}

/** What is on the branch of a task, or was merged. */
export async function taskComparison(workspace: Workspace, id: string): Promise<Comparison> {
  const { state } = await workspace.tasks.load(id);
  const root = checkoutRoot(workspace.cwd);
  if (root === null) throw notHere(`the repository of ${id}`);
  const { from, to, notes } = await taskSpan(root, id, state);
  const place = await temporary(root);
  return { of: { task: id }, from, to, ...place, guarded: guardedIn(state.fingerprints, ""), leftOut: [], notes };
}

interface Driven {
  loop: LoopSummary;
  state: LoopState;
  recorded: Recorded;
}

async function ofLoop(workspace: Workspace, driven: Driven): Promise<Comparison> {
  const { loop, recorded } = driven;
  const folder = snapshotFolder(workspace.folder, loop.id);
  const { start, last } = recorded;
  if (start === null || last === null || !existsSync(folder)) return sinceCommit(driven);
  const notes = await notesOn(driven, folder);
  return { ...kept(driven, folder, [start, last]), notes };
}

/** For a loop without snapshots, as of an older version: compares the commit it started on with the working tree. */
async function sinceCommit({ loop, state, recorded }: Driven): Promise<Comparison> {
  const root = checkoutRoot(loop.cwd);
  if (root === null || !existsSync(loop.cwd)) throw notHere(`the folder of loop ${loop.id}, ${loop.cwd},`);
  const base = recorded.head || state.baseline?.head || "";
  if (base === "") throw nothingRecorded(loop.id);
  const place = await temporary(root);
  const to = await openSnapshots({ cwd: root, folder: join(place.folder, "now.git"), without: [] }).capture(NEVER);
  const notes = [
    `loop ${loop.id} has no snapshots: showing the changes since ${base.slice(0, 10)}, the commit it started on`,
  ];
  if (to === null) {
    place.close();
    throw snapshotLost(loop.id, "the working tree could not be read");
  }
  const folder = join(place.folder, "now.git");
  return { ...kept({ loop, state, recorded }, folder, [base, to]), notes, close: place.close };
}

async function ofIteration(workspace: Workspace, driven: Driven, n: number): Promise<Comparison> {
  const { loop, recorded } = driven;
  const found = recorded.iterations.get(n);
  if (!found) {
    const most = Math.max(0, ...recorded.iterations.keys());
    throw new RalphError("iteration-unknown", `loop ${loop.id} has no iteration ${n}: it has had ${most}`, {
      hint: `\`ralph why ${loop.id}\` shows them`,
      exitCode: EXIT.stopped,
    });
  }
  const { before, after } = found;
  const folder = snapshotFolder(workspace.folder, loop.id);
  if (before === null || after === null || !existsSync(folder)) {
    const why = after === null && before !== null ? "has not ended, or its end was not seen" : "was not recorded";
    throw new RalphError("snapshot-missing", `what iteration ${n} of loop ${loop.id} changed ${why}`, {
      hint: `\`ralph diff ${loop.id}\` shows what the whole loop changed`,
      exitCode: EXIT.stopped,
    });
  }
  return { ...kept(driven, folder, [before, after]), notes: [] };
}

function kept({ loop, state }: Driven, folder: string, [from, to]: readonly [string, string]) {
  const root = checkoutRoot(loop.cwd) ?? loop.cwd;
  return {
    of: { loop: loop.id },
    from,
    to,
    folder,
    guarded: guardedIn(state.fingerprints, relative(root, loop.cwd)),
    leftOut: differing(leftOutOf(folder, from), leftOutOf(folder, to)),
    close: () => undefined,
  };
}

/** Files that are new, gone or of another size. */
function differing(before: readonly LeftOut[], after: readonly LeftOut[]): LeftOut[] {
  const was = new Map(before.map(({ path, bytes }) => [path, bytes]));
  const now = new Set(after.map(({ path }) => path));
  return [
    ...after.filter(({ path, bytes }) => !was.has(path) || was.get(path) !== bytes),
    ...before.filter(({ path }) => !now.has(path)),
  ];
}

async function notesOn({ loop, state }: Driven, folder: string): Promise<string[]> {
  if (!state.stopped) return [`loop ${loop.id} has not stopped: showing its changes up to the last snapshot`];
  const isSame = existsSync(loop.cwd) ? await isAsCaptured(loop.cwd, folder, NEVER) : null;
  return isSame === false ? ["the working tree has changed since the loop ended: showing only the loop's changes"] : [];
}

/** The files that a loop protected, by their path in the checkout; a protected value counts as its file. */
const guardedIn = (fingerprints: Fingerprints, below: string): Set<string> =>
  new Set(
    Object.keys(fingerprints)
      .filter((key) => !isOfThisMachine(key))
      .map((key) => join(below, key.split("#")[0] ?? "")),
  );

async function temporary(root: string): Promise<Pick<Comparison, "folder" | "close">> {
  const folder = mkdtempSync(join(temporaryFolder(), "ralph-diff-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  if ((await headOf(root)) !== "" && (await makeComparing(root, folder))) return { folder, close };
  close();
  throw notHere("the repository");
}

const untracked = (id: string): RalphError =>
  new RalphError("no-repository", `loop ${id} did not run in a git repository: what it changed was not recorded`, {
    hint: `\`ralph logs ${id}\` shows what its agent printed`,
    exitCode: EXIT.stopped,
  });

const notHere = (what: string): RalphError =>
  new RalphError("no-repository", `${what} does not exist, or git cannot read it`, {
    hint: "run `ralph diff` in the repository that the loop worked in",
    exitCode: EXIT.stopped,
  });

const nothingRecorded = (id: string): RalphError =>
  new RalphError("snapshot-missing", `the state before loop ${id} was not recorded`, {
    hint: `\`ralph why ${id}\` shows what it did`,
    exitCode: EXIT.stopped,
  });

export const snapshotLost = (what: string, why: string): RalphError =>
  new RalphError("snapshot-lost", `what ${what} changed cannot be shown: ${why}`, {
    hint: "its snapshots share objects with the repository, which may have been removed by `git gc`",
    exitCode: EXIT.stopped,
  });
