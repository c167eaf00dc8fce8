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

/** Why a turn did not succeed. `retryAtMs` is the reset time, where the agent told one. */
export interface TurnFault {
  kind: Trouble | Failure;
  detail: string;
  retryAtMs?: number;
}

/**
 * What an adapter makes of an agent's output. The loop and every view read these, never a CLI's own dialect.
 * Only `text.said` is the assistant's own voice; its fragments belong to one message until `message.ended`.
 */
export type AgentEvent =
  | { type: "session.opened"; sessionId: string }
  | { type: "text.said"; text: string }
  | { type: "message.ended" }
  | { type: "thought.had"; text: string }
  | { type: "tool.called"; name: string; summary: string }
  | { type: "tool.returned"; summary: string }
  | { type: "usage.reported"; usage: Usage; cumulative: boolean }
  | { type: "turn.succeeded" }
  | { type: "turn.failed"; fault: TurnFault };

/** One run of an agent, as its adapter needs to know it. */
export interface AgentRun {
  prompt: string;
  flags: readonly string[];
  /** The session to go on with; null starts a fresh one. */
  sessionId: string | null;
  iteration: number;
  attempt: number;
}

export interface AgentCommand {
  file: string;
  args: readonly string[];
  /** Written to the agent's standard input, which is closed after it. */
  stdin: string | null;
  env: Readonly<Record<string, string>>;
}

/**
 * One coding-agent CLI. Both halves are pure; `io` owns the process.
 * With `parse` the output is a structured stream and only `turn.succeeded` means success;
 * without it the output is the assistant's text and exit code 0 means success.
 * `parse` never throws: a line it does not know yields no events.
 */
export interface AgentAdapter {
  id: string;
  command(run: AgentRun): AgentCommand;
  parse?(line: string): AgentEvent[];
  /** How lines begin that tell nothing the loop or a view needs; most of a stream is tool output, and need not be read. */
  unheard?: readonly string[];
}
