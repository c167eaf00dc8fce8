import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lease, Leases, LoopStore } from "../../core/store.ts";
import type { Subject } from "../../core/subject.ts";
import type { TaskStore } from "../../core/task/store.ts";
import type { Feed, RunStore } from "../../core/workflow/store.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { makeFolder } from "../io/folder.ts";
import { isBelow } from "../io/inside.ts";
import { type StateFolder, stateFolder } from "../io/state-folder.ts";
import { leasesIn } from "./lease.ts";
import { type OpenJournal, openJournal, openSqliteStore } from "./sqlite-store.ts";

/** A repository as Ralph sees it: the folder people work in, and the journals beside it. */
export interface Workspace {
  cwd: string;
  folder: StateFolder;
  store: LoopStore;
  /** Specs and tasks, in the same database; closed with the store. */
  tasks: TaskStore;
  /** Runs of workflows and what is said about them, likewise. */
  runs: RunStore;
  /** Everything that all of them write down, in one order. */
  feed: Feed;
  /** Which process drives what. */
  leases: Leases;
}

/** The journal of nothing: those who only look leave no trace in a folder without loops. */
const NOWHERE = ":memory:";

export interface WorkspaceOptions {
  create?: boolean;
  /** The folder that has everything, instead of the one that is kept for the repository. */
  stateDir?: string | undefined;
}

/** Opens the journals of the repository that `cwd` is in; makes them only with `create`. */
export async function openWorkspace(
  cwd: string,
  { create = false, stateDir }: WorkspaceOptions = {},
): Promise<Workspace> {
  const folder = stateFolderIn(cwd, stateDir);
  const path = create || existsSync(folder.database) ? folder.database : NOWHERE;
  // It has whole conversations, and settings with addresses that are as good as passwords.
  if (path !== NOWHERE) {
    makeFolder(folder.root, 0o700);
    keepOutOfGit(folder.root, cwd);
  }
  const store = await openSqliteStore(path);
  const { tasks, runs, feed } = store;
  return { cwd: realpathSync(cwd), folder, store, tasks, runs, feed, leases: leasesIn(folder.leases) };
}

/** What can be done in a workspace without waiting for anything. */
export interface WorkspaceNow extends OpenJournal {
  /** Null: another process has it, or looks at it just now. */
  lease(subject: Subject): Lease | null;
}

/** The same for callers that cannot wait; null where there are no journals yet. */
export function openWorkspaceNow(cwd: string, stateDir: string | undefined): WorkspaceNow | null {
  if (!existsSync(cwd)) return null;
  const { database, leases } = stateFolderIn(cwd, stateDir);
  if (!existsSync(database)) return null;
  return { ...openJournal(database), lease: leasesIn(leases).takeNow };
}

/** A state folder inside the checkout is no work: git is not to see it. */
function keepOutOfGit(root: string, cwd: string): void {
  const checkout = checkoutRoot(cwd);
  const ignore = join(root, ".gitignore");
  if (checkout === null || !isBelow(realpathSync(root), realpathSync(checkout)) || existsSync(ignore)) return;
  writeFileSync(ignore, "*\n");
}

/** The state folder of the repository that `cwd` is in, or the one that was named. */
export const stateFolderIn = (cwd: string, stateDir: string | undefined): StateFolder =>
  stateFolder(cwd, stateDir === undefined ? process.env : { RALPH_STATE_DIR: stateDir });
