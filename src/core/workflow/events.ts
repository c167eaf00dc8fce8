import type { StopReason } from "../loop/events.ts";
import type { SessionStart } from "../loop/spec.ts";
import type { Level } from "../proof/level.ts";
import type { Settings } from "../schema/settings.ts";
import type { Journalled } from "../subject.ts";
import type { Usage } from "../usage.ts";
import type { Workflow } from "./workflow.ts";

/** Where people talk to workflows: a platform, and a conversation on it. */
export interface Conversation {
  platform: string;
  id: string;
}

/** A session of an agent, for the steps that share it. */
export interface AgentSession extends SessionStart {
  /** The agent that it belongs to. */
  agent: string;
}

/** Facts about a run, each durable before its consequence. */
export type RunEvent =
  | RunStarted
  /** A process drives it: for the first time, or after another one stopped. */
  | { type: "run.taken"; by: string }
  /** What decides its loops, as it was before any agent had worked. */
  | RunProtected
  /** A command of the user's begins; written once for all attempts at it. */
  | CommandWatched
  /** What it changed of what decides later parts is the user's; left out where it changed nothing of it. */
  | CommandAccepted
  /** Written before the loop is made, so that a lane never has two; a command has none. */
  | { type: "part.began"; part: number; lane: number; attempt: number; loop: string | null }
  /** An iteration of the current loop begins. */
  | { type: "iteration.began"; part: number; n: number; maxIterations: number }
  | PartEnded
  /** Paused: it can be resumed; if it `waits`, once the user has fixed something. */
  | { type: "run.paused"; why: string; waits?: boolean }
  /** Messages that could not be delivered. */
  | { type: "messages.dropped"; count: number }
  | { type: "run.ended"; status: "completed" | "failed" | "cancelled"; detail: string };

export interface RunStarted {
  type: "run.started";
  workflow: Workflow;
  /** What the user said. */
  message: string;
  /** Null: started on the command line, without a conversation. */
  conversation: Conversation | null;
  cwd: string;
  /** What prompts and commands can name, such as `BASE_BRANCH`. */
  values: Readonly<Record<string, string>>;
  /** The agent that was asked for instead of the workflow's own, and what a scripted one plays. */
  agent: { command: string; scenario: string | null } | null;
  /** The settings as they were when it began: what a step does to the files decides nothing later. Left out: none. */
  settings?: Settings;
  /** Files that no loop of it may change: the workflow's own, its command files, the settings. */
  protect?: readonly string[];
}

export interface RunProtected {
  type: "run.protected";
  /** The digest of the record of each loop, and of each command, that agents work before, by its part. */
  records: Readonly<Record<number, string>>;
}

export interface CommandWatched {
  type: "command.watched";
  part: number;
  /** The digest of the look at what decides later parts, taken before the command runs. */
  before: string;
  /** What it runs that agents of the run have written; empty: it is the user's alone, and what it changes is accepted. */
  foreign: readonly string[];
}

export interface CommandAccepted {
  type: "command.accepted";
  part: number;
  /** Records that take the place of those before. */
  records: RunProtected["records"];
}

/** A lane of a part has come to its end. */
export interface PartEnded {
  type: "part.ended";
  part: number;
  lane: number;
  attempt: number;
  is: "done" | "failed";
  /** Why its loop stopped; null for a command. */
  reason: StopReason | null;
  /** The level of a completed loop; null where nothing was claimed. Left out by older versions. */
  proof?: Level | null;
  /** What went wrong, in words; or what weakens the proof. */
  detail: string;
  iterations: number;
  /** The end of what was said last, or of what the command printed. */
  output: string;
  /** Null: there is no session that could be continued. */
  session: AgentSession | null;
  spent: Usage;
}

/** What the journal of a run keeps. */
export interface RunEntry extends Journalled<RunEvent> {
  run: string;
}
