import type { StopReason } from "../loop/events.ts";
import type { SessionStart } from "../loop/spec.ts";
import type { Level } from "../proof/level.ts";
import type { Settings } from "../schema/settings.ts";
import type { Journalled } from "../subject.ts";
import type { Usage } from "../usage.ts";
import type { Workflow } from "./workflow.ts";

/** A conversation on a platform. */
export interface Conversation {
  platform: string;
  id: string;
}

/** A session of an agent, for the steps that share it. */
export interface AgentSession extends SessionStart {
  /** The agent it belongs to. */
  agent: string;
}

/** Events of a run, each durable before its consequence. */
export type RunEvent =
  | RunStarted
  /** A process drives the run: for the first time, or after another one stopped. */
  | { type: "run.taken"; by: string; version?: string }
  /** Records of the files that decide its loops, taken before any agent worked. */
  | RunProtected
  /** A command starts; written once for all its attempts. */
  | CommandWatched
  /** A command's changes to files that decide later parts count as the user's; not written if there are none. */
  | CommandAccepted
  /** Written before the loop is created, so that a lane never has two; a command has none. */
  | { type: "part.began"; part: number; lane: number; attempt: number; loop: string | null }
  /** An iteration of the current loop starts. */
  | { type: "iteration.began"; part: number; n: number; maxIterations: number }
  | PartEnded
  /** The run can be resumed; if it `waits`, once the user has fixed something. */
  | { type: "run.paused"; why: string; waits?: boolean }
  /** Messages that could not be delivered. */
  | { type: "messages.dropped"; count: number }
  | { type: "run.ended"; status: "completed" | "failed" | "cancelled"; detail: string };

export interface RunStarted {
  type: "run.started";
  workflow: Workflow;
  /** The user's message. */
  message: string;
  /** Null: started on the command line, without a conversation. */
  conversation: Conversation | null;
  cwd: string;
  /** Variables for prompts and commands, such as `BASE_BRANCH`. */
  values: Readonly<Record<string, string>>;
  /** The agent requested instead of the workflow's own, and the scenario of a scripted one. */
  agent: { command: string; scenario: string | null } | null;
  /** The model requested instead of the workflow's own, and flags for the agent of every part. */
  model?: string;
  agentFlags?: readonly string[];
  /** The settings when the run started: later changes to the files have no effect. Omitted: none. */
  settings?: Settings;
  /** Files that no loop of the run may change: the workflow, its command files, the settings. */
  protect?: readonly string[];
}

export interface RunProtected {
  type: "run.protected";
  /** By part, the digest of the record for each loop and command that runs after an agent's work. */
  records: Readonly<Record<number, string>>;
}

export interface CommandWatched {
  type: "command.watched";
  part: number;
  /** The digest of the files that decide later parts, taken before the command runs. */
  before: string;
  /** Files it runs that agents of the run wrote; empty: the command is the user's own, and its changes are accepted. */
  foreign: readonly string[];
}

export interface CommandAccepted {
  type: "command.accepted";
  part: number;
  /** Records that replace earlier ones. */
  records: RunProtected["records"];
}

/** A lane of a part has ended. */
export interface PartEnded {
  type: "part.ended";
  part: number;
  lane: number;
  attempt: number;
  is: "done" | "failed";
  /** Why its loop stopped; null for a command. */
  reason: StopReason | null;
  /** The level of a completed loop; null if nothing was claimed. Omitted by older versions. */
  proof?: Level | null;
  /** What went wrong, or what weakens the proof. */
  detail: string;
  iterations: number;
  /** The end of the last message, or of the command's output. */
  output: string;
  /** Null: there is no session that could be continued. */
  session: AgentSession | null;
  spent: Usage;
}

/** An entry in the journal of a run. */
export interface RunEntry extends Journalled<RunEvent> {
  run: string;
}
