import type { Refusals, RefusedTool } from "./refusals.ts";
import type { Usage } from "./usage.ts";

/** Environment troubles: the turn is void, uses no iteration, and is retried or stops the loop with its own reason. */
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

/** What a usage report covers: one step of the turn, the whole turn so far, or the whole session so far. */
export type UsageScope = "step" | "turn" | "session";

/**
 * The events that an adapter reads from an agent's output. The loop and every view use these, never a CLI's own format.
 * Only `text.said` is the assistant's own voice; its fragments belong to one message until `message.ended`.
 */
export type AgentEvent =
  | { type: "session.opened"; sessionId: string; model?: string }
  | { type: "text.said"; text: string }
  | { type: "message.ended" }
  | { type: "thought.had"; text: string }
  | { type: "tool.called"; name: string; summary: string }
  | { type: "tool.returned"; summary: string }
  /** `input`: what it was called with, shortened. */
  | { type: "tool.denied"; name: string; detail: string; input?: string }
  /** It was allowed and did not succeed; `detail`: its exit code and the first line of its error. */
  | { type: "tool.failed"; name: string; detail: string }
  | { type: "usage.reported"; usage: Usage; of: UsageScope }
  /** The agent had a problem and retries by itself. */
  | { type: "turn.stalled"; fault: TurnFault }
  | { type: "turn.succeeded" }
  | { type: "turn.failed"; fault: TurnFault };

/** One run of an agent, for its adapter. */
export interface AgentRun {
  prompt: string;
  flags: readonly string[];
  /** The session to continue; null starts a fresh one. */
  sessionId: string | null;
  iteration: number;
  attempt: number;
  /** `ask`: a question to answer in text, without changing anything. */
  purpose: "work" | "ask";
  /** The model to use instead of the one in its flags; `cheap`: its model for small questions, if it has one. */
  model?: "cheap" | { name: string };
  /** It runs in its own empty folder, which contains nothing untrusted. */
  apart?: boolean;
}

export interface AgentCommand {
  file: string;
  args: readonly string[];
  /** Written to the agent's standard input, which is closed after it. */
  stdin: string | null;
  env: Readonly<Record<string, string>>;
}

/** Reads one run's structured output. Never throws: an unknown line yields no events. */
export interface AgentStream {
  line(line: string): AgentEvent[];
  /** The events at the end of the output, for an agent that does not report its result. */
  end?(): AgentEvent[];
}

/** A run that ended without a result: its exit code and last output. */
export interface AgentRemains {
  /** Null: ended by a signal. */
  exitCode: number | null;
  /** The end of standard error, and of standard output if that is plain text. */
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
  /** Prefixes of lines to skip: most of a stream is tool output, which no loop or view needs. */
  unheard?: readonly string[];
  /** What a line contains that is not skipped although it begins like that. */
  heardWith?: readonly string[];
  /** The fault of a run without a result; null if it cannot be determined. */
  diagnose?(remains: AgentRemains, nowMs: number): TurnFault | null;
  /** Words for its command line that would allow what it was refused; empty if none are known. */
  allowing?(refused: readonly RefusedTool[], checks: readonly string[]): Omit<Refusals, "tools">;
  /** The refusal that a line of standard error reports, if the stream does not contain it. */
  refusalIn?(line: string): { name: string; detail: string } | null;
  /** False: it reports tokens, but not their cost. */
  reportsCost?: boolean;
  /** It has an option for the model. */
  takesModel?: true;
  /** It reads instructions from files in its working directory. */
  readsFolder?: true;
}
