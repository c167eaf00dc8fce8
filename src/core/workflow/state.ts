import type { Level } from "../proof/level.ts";
import { NO_USAGE, type Usage } from "../usage.ts";
import type { AgentSession, CommandWatched, PartEnded, RunStarted } from "./events.ts";

export const RUN_STATUSES = ["queued", "running", "interrupted", "completed", "failed", "cancelled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Those that a run does not leave by itself. */
export const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled"]);

/** The statuses of runs that are driven, or can be resumed. */
export const UNENDED: readonly RunStatus[] = RUN_STATUSES.filter((status) => !ENDED.has(status));

/** One of the things that a part does at the same time. */
export interface Lane {
  attempt: number;
  /** The loop that was started for it; null for a command, or before the start. */
  loop: string | null;
  ended: PartEnded | null;
}

/** The fold of a run's entries. Bounded for any number of iterations. */
export interface RunState {
  started: RunStarted | null;
  status: RunStatus;
  /** The index of the current part in the workflow; the number of parts once all are done. */
  part: number;
  lanes: readonly Lane[];
  /** The session that the next step continues. */
  session: AgentSession | null;
  /** What parts have said or printed last, by their names. */
  outputs: Readonly<Record<string, string>>;
  /**
   * Digests of what decides later parts, as it was before any agent worked, with what the user's own commands have
   * changed since; null: not recorded yet.
   */
  records: Readonly<Record<number, string>> | null;
  /** The command that began last, with the records as they were before it. */
  watched: (CommandWatched & Pick<RunState, "records">) | null;
  /** The document's `workflow_runs.metadata`. */
  metadata: Readonly<Record<string, unknown>>;
  /** The weakest level of its completed loops; null where it has none. */
  proof: Level | null;
  spent: Usage;
  dropped: number;
  /** Why it failed, or is paused. */
  detail: string;
  /** It is paused until the user has fixed something: it is resumed only on request. */
  waits: boolean;
}

export const NEW_RUN: RunState = {
  started: null,
  status: "queued",
  part: 0,
  lanes: [],
  session: null,
  outputs: {},
  records: null,
  watched: null,
  metadata: {},
  proof: null,
  spent: NO_USAGE,
  dropped: 0,
  detail: "",
  waits: false,
};
