import type { Level } from "../proof/level.ts";
import { NO_USAGE, type Usage } from "../usage.ts";
import type { AgentSession, CommandWatched, PartEnded, RunStarted } from "./events.ts";

/** What each status of a run means. `active`: it has a driver, or waits for one. `paused`: it can be resumed. */
const RUN_PHASES = {
  queued: "active",
  running: "active",
  interrupted: "paused",
  completed: "ended",
  failed: "ended",
  cancelled: "ended",
} as const;

export type RunStatus = keyof typeof RUN_PHASES;

export const RUN_STATUSES = Object.keys(RUN_PHASES) as RunStatus[];

export const phaseOf = (status: RunStatus): "active" | "paused" | "ended" => RUN_PHASES[status];

export const hasEnded = (status: RunStatus): boolean => phaseOf(status) === "ended";

/** A part has one lane, or one for each parallel step. */
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
  /** The last output of each part, by name. */
  outputs: Readonly<Record<string, string>>;
  /**
   * Digests of the files that decide later parts, from before any agent worked, updated for changes by the user's own
   * commands; null: not recorded yet.
   */
  records: Readonly<Record<number, string>> | null;
  /** The last command that started, with the records before it. */
  watched: (CommandWatched & Pick<RunState, "records">) | null;
  /** The documented `workflow_runs.metadata`. */
  metadata: Readonly<Record<string, unknown>>;
  /** The weakest level of its completed loops; null if there are none. */
  proof: Level | null;
  spent: Usage;
  dropped: number;
  /** Why it failed or is paused. */
  detail: string;
  /** Paused until the user has fixed something: resumed only on request. */
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
