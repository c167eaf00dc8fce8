import type { Blobs } from "./blobs.ts";
import type { Feed, News } from "./feed.ts";
import type { Inbox } from "./inbox.ts";
import type { Leases } from "./lease.ts";
import type { LoopStore } from "./loop/store.ts";
import type { Pulses } from "./pulse.ts";
import type { TaskStore } from "./task/store.ts";
import type { BoardRows } from "./view/rows.ts";
import type { RunStore } from "./workflow/store.ts";

/** A repository as Ralph sees it: the user's folder and its journals. */
export interface Workspace {
  cwd: string;
  folder: StateFolder;
  blobs: Blobs;
  store: LoopStore;
  /** Specs and tasks. */
  tasks: TaskStore;
  /** Workflow runs and their messages. */
  runs: RunStore;
  /** All their entries, in one order. */
  feed: Feed;
  leases: Leases;
  inbox: Inbox;
  news: News;
  /** The rows of all of them, for views that show everything. */
  rows: BoardRows;
  /** What drivers do right now. */
  pulses: Pulses;
  close(): void;
}

/** The location of a repository's journal, logs and worktrees: outside the repository, so out of the agent's reach. */
export interface StateFolder {
  root: string;
  database: string;
  /** What drivers do right now: volatile, beside the journal. */
  pulses: string;
  leases: string;
  /** Clean rooms in use, and the results of their setup. */
  rooms: string;
  worktrees: string;
  /** Files of one loop that are not blobs, such as its snapshots. */
  logs(loop: string): string;
  /** Files of one task that are not blobs, such as the index of a copy. */
  task(id: string): string;
  run(id: string): string;
}

type Beside = Pick<Workspace, "blobs">;

/** The files of one loop, task or run outside the journal. */
export const loopBlobs = ({ blobs }: Beside, id: string): Blobs => blobs.in(`loops/${id}`);
export const taskBlobs = ({ blobs }: Beside, id: string): Blobs => blobs.in(`tasks/${id}`);
export const runBlobs = ({ blobs }: Beside, id: string): Blobs => blobs.in(`runs/${id}`);
