import type { Usage } from "./usage.ts";

/** Troubles of the environment: the turn is void, uses no iteration, and is tried again or stops under its own reason. */
export const TROUBLES = [
  "rate-limited",
  "overloaded",
  "network",
  "auth",
  "agent-missing",
  "bad-session",
  "interrupted",
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Failures of the agent itself: the turn counts. */
export const FAILURES = ["crashed", "timed-out", "permission-denied", "context-exceeded"] as const;
export type Failure = (typeof FAILURES)[number];

/** Why a turn did not succeed. `retryAtMs` is the reset time, if the agent reported one. */
export interface TurnFault {
  kind: Trouble | Failure;
  detail: string;
  retryAtMs?: number;
}

/** What a report of usage covers: one step of the turn, the whole turn so far, or the whole session so far. */
export type UsageScope = "step" | "turn" | "session";

/**
 * What an adapter makes of an agent's output. The loop and every view read these, never a CLI's own dialect.
 * Only `text.said` is the assistant's own voice; its fragments belong to one message until `message.ended`.
 */
export type AgentEvent =
  | { type: "session.opened"; sessionId: string; model?: string }
  | { type: "text.said"; text: string }
  | { type: "message.ended" }
  | { type: "thought.had"; text: string }
  | { type: "tool.called"; name: string; summary: string }
  | { type: "tool.returned"; summary: string }
  | { type: "tool.denied"; name: string; detail: string }
  | { type: "usage.reported"; usage: Usage; of: UsageScope }
  /** The agent has met a trouble and tries again by itself. */
  | { type: "turn.stalled"; fault: TurnFault }
  | { type: "turn.succeeded" }
  | { type: "turn.failed"; fault: TurnFault };

/** One run of an agent, as its adapter needs to know it. */
export interface AgentRun {
  prompt: string;
  flags: readonly string[];
  /** The session to continue; null starts a fresh one. */
  sessionId: string | null;
  iteration: number;
  attempt: number;
  /** `ask`: a question to be answered in words, with nothing changed. */
  purpose: "work" | "ask";
  /** The model to use instead of the one its flags name; `cheap`: the one it has for little questions, where it has one. */
  model?: "cheap" | { name: string };
  /** It runs in an empty folder of its own, where there is nothing to distrust. */
  apart?: boolean;
}

export interface AgentCommand {
  file: string;
  args: readonly string[];
  /** Written to the agent's standard input, which is closed after it. */
  stdin: string | null;
  env: Readonly<Record<string, string>>;
}

/** The reading of one run's structured output. Never throws: a line it does not know yields no events. */
export interface AgentStream {
  line(line: string): AgentEvent[];
  /** What it means that the output ended here, for an agent that does not say so itself. */
  end?(): AgentEvent[];
}

/** A run that ended without a result: what its process left behind. */
export interface AgentRemains {
  /** Null: ended by a signal. */
  exitCode: number | null;
  /** The last words on standard error, and on standard output where that is plain text. */
  stderr: string;
  stdout: string;
}

/**
 * One coding-agent CLI. All parts are pure; `io` owns the process.
 * With `open` the output is a structured stream and only `turn.succeeded` means success;
 * without it the output is the assistant's text and exit code 0 means success.
 */
export interface AgentAdapter {
  id: string;
  command(run: AgentRun): AgentCommand;
  open?(): AgentStream;
  /** How lines begin that no loop or view needs; most of a stream is tool output, and need not be read. */
  unheard?: readonly string[];
  /** The fault that the remains of a run show; null if they show only that it ended. */
  diagnose?(remains: AgentRemains, nowMs: number): TurnFault | null;
  /** What the user can put into the settings so that the agent may use its tools. */
  permissionHint?: string;
  /** False: it reports tokens, but not their cost. */
  reportsCost?: boolean;
  /** It has an option for the model. */
  takesModel?: true;
  /** It takes instructions from files in the folder where it runs. */
  readsFolder?: true;
}
