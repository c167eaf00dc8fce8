import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lease } from "../../core/lease.ts";
import type { Locations } from "../../core/location.ts";
import type { Subject } from "../../core/subject.ts";
import type { StateFolder, Workspace } from "../../core/workspace.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { locationsOf } from "../io/checkouts.ts";
import { environment } from "../io/environment.ts";
import { fileBlobs } from "../io/file-blobs.ts";
import { makeFolder } from "../io/folder.ts";
import { isBelow } from "../io/inside.ts";
import { noteRepository } from "../io/note-repository.ts";
import { stateFolder } from "../io/state-folder.ts";
import { leasesIn } from "./lease.ts";
import { pulsesIn } from "./pulses.ts";
import { type OpenJournal, openJournal, openSqliteStore } from "./sqlite-store.ts";

/** A journal in memory: commands that only read leave no trace in a folder without loops. */
const NOWHERE = ":memory:";

interface OpenHow {
  create?: boolean;
  stateDir?: string | undefined;
}

/** Opens a workspace while `work` runs. */
export async function inWorkspace<T>(
  { cwd, ...how }: OpenHow & { cwd: string },
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(cwd, how);
  try {
    return await work(workspace);
  } finally {
    workspace.close();
  }
}

/**
 * Opens the journals of the repository that `cwd` is in, or those in `stateDir`. Creates them only with `create`. For
 * callers that keep it open: all others use `inWorkspace`.
 */
export async function openWorkspace(cwd: string, { create = false, stateDir }: OpenHow = {}): Promise<Workspace> {
  const folder = stateFolderIn(cwd, stateDir);
  const path = create || existsSync(folder.database) ? folder.database : NOWHERE;
  // The folder contains full conversations, and settings with URLs that are as secret as passwords.
  if (path !== NOWHERE) {
    makeFolder(folder.root, 0o700);
    keepOutOfGit(folder.root, cwd);
    if (stateDir === undefined) noteRepository(cwd);
  }
  const store = located(await openSqliteStore(path), locationsOf(folder, cwd, path !== NOWHERE));
  const blobs = fileBlobs(folder.root);
  const pulses = pulsesIn(folder.pulses);
  const { tasks, runs, feed, inbox, news, rows } = store;
  const journals = { store, tasks, runs, feed, inbox, news, rows, pulses, close: store.close };
  return { cwd: realpathSync(cwd), folder, blobs, leases: leasesIn(folder.leases), ...journals };
}

/** Synchronous access to a workspace. */
export interface WorkspaceNow extends OpenJournal {
  /** Null if another process has it, or is checking it right now. */
  lease(subject: Subject): Lease | null;
}

/** Like `openWorkspace`, but synchronous; null if there are no journals yet. */
export function openWorkspaceNow(cwd: string, stateDir: string | undefined): WorkspaceNow | null {
  if (!existsSync(cwd)) return null;
  const folder = stateFolderIn(cwd, stateDir);
  if (!existsSync(folder.database)) return null;
  const journal = located(openJournal(folder.database), locationsOf(folder, cwd, true));
  return { ...journal, lease: leasesIn(folder.leases).takeNow };
}

/** A state folder inside the checkout is not part of the work, so git ignores it. */
function keepOutOfGit(root: string, cwd: string): void {
  const checkout = checkoutRoot(cwd);
  const ignore = join(root, ".gitignore");
  if (checkout === null || !isBelow(realpathSync(root), realpathSync(checkout)) || existsSync(ignore)) return;
  writeFileSync(ignore, "*\n");
}

/** The state folder of the repository that `cwd` is in, or the given one. */
export const stateFolderIn = (cwd: string, stateDir: string | undefined): StateFolder =>
  stateFolder(cwd, stateDir === undefined ? environment() : { RALPH_STATE_DIR: stateDir });

/** Wraps a port: callers use paths, the implementation uses names. Nothing else translates between them. */
function located<Port extends object>(port: Port, locations: Locations): Port {
  const members = Object.entries(port).map(([name, member]): [string, unknown] => {
    if (typeof member === "function") return [name, throughNames(member as Work, locations)];
    return [name, typeof member === "object" && member !== null ? located(member, locations) : member];
  });
  return Object.fromEntries(members) as Port;
}

type Work = (...given: unknown[]) => unknown;

const throughNames =
  (work: Work, locations: Locations): Work =>
  (...given) =>
    asPaths(work(...given.map((one) => asNames(one, locations))), locations);

function asNames(given: unknown, locations: Locations): unknown {
  // A callback works the other way round: it receives paths, and its journalled result gets names.
  if (typeof given === "function") {
    return (...told: unknown[]) => locations.named((given as Work)(...told.map((one) => locations.located(one))));
  }
  return locations.named(given);
}

function asPaths(result: unknown, locations: Locations): unknown {
  if (result instanceof Promise) return result.then((value: unknown) => locations.located(value));
  if (typeof result === "object" && result !== null && Symbol.asyncIterator in result) {
    return eachLocated(result as AsyncIterable<unknown>, locations);
  }
  return typeof result === "function" ? throughNames(result as Work, locations) : locations.located(result);
}

async function* eachLocated(values: AsyncIterable<unknown>, locations: Locations): AsyncGenerator<unknown> {
  for await (const value of values) yield locations.located(value);
}
