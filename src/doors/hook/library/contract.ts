import type { Toast } from "../../../core/host.ts";
import type { Usage } from "../../../core/usage.ts";

/** A loop in a session, as hosts see it. */
export interface RalphLoopState {
  active: boolean;
  iteration: number;
  /** `Infinity` without a limit. */
  maxIterations: number;
  completionPromise: string;
  startedAt: string;
  prompt: string;
  sessionId: string;
  lastIterationAt?: string;
  description?: string;
}

export interface RalphLoopConfig {
  /** If false, loops do not start and events are ignored. */
  enabled: boolean;
  /** If it is not given, the settings of the folder are used first. */
  defaultMaxIterations: number;
  /** If it is not given, the settings of the folder are used first. */
  defaultCompletionPromise: string;
  /** Milliseconds before a continuation is injected. */
  continuationDelay: number;
  /** The state folder, instead of the repository's own. */
  stateDir?: string;
}

/** What "done" means for a loop, and its limits. Overrides the settings of the folder. */
export interface LoopDemands {
  /** Shell commands that must all exit 0 for a claim to count. */
  verify?: string | readonly string[] | undefined;
  /** `completion`, as in `.ralph/settings.json`. */
  completion?: Readonly<Record<string, unknown>> | undefined;
  maxCostUsd?: number | undefined;
  maxTokens?: number | undefined;
  /** Maximum working time in milliseconds. */
  timeoutMs?: number | undefined;
  /** Stop after this many iterations without progress; 0: never. */
  stuckAfter?: number | undefined;
  /** Refuse a claim if the agent has changed nothing. Default: false. */
  zeroWorkGuard?: boolean | undefined;
  /** `reset`: a new session for every iteration, opened by `createSession`. */
  context?: "continue" | "reset" | undefined;
}

export interface StartLoopOptions extends LoopDemands {
  maxIterations?: number | undefined;
  completionPromise?: string | undefined;
  description?: string | undefined;
}

/** The result of a request for a loop. */
export type BegunLoop =
  /** `prompt` is the agent's first prompt; `loop` is the id for `ralph status`. */
  { started: true; loop: string; prompt: string } | { started: false; reason: string };

export interface RalphLoopHook {
  /** Starts a loop at once; if false, a toast says why. The caller injects the first prompt. */
  startLoop: (sessionId: string, prompt: string, options?: StartLoopOptions) => boolean;
  /** Runs the checks once before any work, then starts the loop. */
  beginLoop: (sessionId: string, prompt: string, options?: StartLoopOptions) => Promise<BegunLoop>;
  cancelLoop: (sessionId: string) => boolean;
  /** The active loop of a session, or the latest one of the folder; null if there is none. */
  getState: (sessionId?: string) => RalphLoopState | null;
  isLoopActive: (sessionId: string) => boolean;
  /** Cancels timers and ignores later events. Loops stay active and can be continued by another hook. */
  close: () => void;
}

/** A message of a session. Only the text of those whose role is `assistant` can claim. */
export interface SessionMessage {
  role?: string | undefined;
  content?: string | readonly MessagePart[] | undefined;
}

/** A part of a message. Only parts of type `text` count; tool output and thoughts do not. */
export interface MessagePart {
  type?: string | undefined;
  text?: string | undefined;
}

/** An event of the host. */
export interface HookContext {
  event: string;
  sessionId: string;
  data?: unknown;
}

/** The result type of handlers; Ralph's returns nothing. */
export type HookResult = Readonly<Record<string, unknown>>;

export interface Hook {
  name: string;
  description: string;
  priority: number;
  events: readonly string[];
  /** Never throws. Resolves when the event is handled, which includes running checks. */
  // biome-ignore lint/suspicious/noConfusingVoidType: hosts declare handlers like this.
  handler: (context: HookContext) => Promise<HookResult | void>;
}

export type LogLevel = "info" | "warn" | "error";

export interface RalphLoopOptions extends LoopDemands {
  config?: Partial<RalphLoopConfig>;
  /** The folder that the agent works in. Default: the current one. */
  workdir?: string;
  getMessages?: (sessionId: string) => Promise<readonly SessionMessage[]>;
  injectPrompt?: (sessionId: string, prompt: string) => Promise<void>;
  showToast?: (toast: Toast) => void;
  checkSessionExists?: (sessionId: string) => Promise<boolean>;
  /** Opens a new session for the next iteration and returns its id. Required for `context: "reset"`. */
  createSession?: (sessionId: string) => Promise<string>;
  /** The total usage of a session so far; null if unknown. Required for limits on cost and tokens. */
  getUsage?: (sessionId: string) => SessionUsage | null | Promise<SessionUsage | null>;
  /** The agent of these sessions: `ralph resume` continues a loop with it, outside the host. */
  agent?: string;
  /** By default, warnings and errors become warnings of the process. */
  log?: (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void;
}

export type SessionUsage = Partial<Usage>;
