import type { Level } from "../proof/level.ts";
import { NO_USAGE, type Usage } from "../usage.ts";
import type { AgentSession, CommandWatched, PartEnded, RunStarted } from "./events.ts";

export const RUN_STATUSES = ["queued", "running", "interrupted", "completed", "failed", "cancelled"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Those that a run does not leave by itself. */
export const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled"]);

/** Those of runs that somebody works on, or could go on with. */
export const UNENDED: readonly RunStatus[] = RUN_STATUSES.filter((status) => !ENDED.has(status));

/** One of the things that a part does at the same time. */
export interface Lane {
  attempt: number;
  /** The loop that was begun for it; null for a command, or where none has begun. */
  loop: string | null;
  ended: PartEnded | null;
}

/** The fold of a run's entries. Bounded, whatever the number of iterations. */
export interface RunState {
  started: RunStarted | null;
  status: RunStatus;
  /** The place of the part at hand in the workflow; as many as there are once all are done. */
  part: number;
  lanes: readonly Lane[];
  /** The session that the next step goes on with. */
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
  /** It is paused until a person has seen to something: nobody goes on with it unasked. */
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
