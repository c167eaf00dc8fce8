import type { Toast } from "../../core/host.ts";
import type { Usage } from "../../core/usage.ts";

/** A loop in a session, as hosts see it. */
export interface RalphLoopState {
  active: boolean;
  iteration: number;
  /** `Infinity` where nothing limits them. */
  maxIterations: number;
  completionPromise: string;
  startedAt: string;
  prompt: string;
  sessionId: string;
  lastIterationAt?: string;
  description?: string;
}

export interface RalphLoopConfig {
  /** False: no loop is started, and no event is answered. */
  enabled: boolean;
  /** Where it is not given, what the settings of the folder say comes first. */
  defaultMaxIterations: number;
  /** Likewise. */
  defaultCompletionPromise: string;
  /** Milliseconds before a continuation is injected. */
  continuationDelay: number;
  /** The folder of the journal, instead of the one that Ralph keeps for the repository. */
  stateDir?: string;
}

/** What has to hold for a loop to end well, and how far it may go. It wins over the settings of the folder. */
export interface LoopDemands {
  /** Shell commands that must all exit 0 for a claim to count. */
  verify?: string | readonly string[] | undefined;
  /** `completion`, as `.ralph/settings.json` has it. */
  completion?: Readonly<Record<string, unknown>> | undefined;
  maxCostUsd?: number | undefined;
  maxTokens?: number | undefined;
  /** Milliseconds of work. */
  timeoutMs?: number | undefined;
  /** Iterations in a row without anything new; 0: never. */
  stuckAfter?: number | undefined;
  /** Refuse a claim of an agent that has changed nothing; false when left out: a promise completes. */
  zeroWorkGuard?: boolean | undefined;
  /** `reset`: every iteration in a session of its own, which `createSession` opens. */
  context?: "continue" | "reset" | undefined;
}

export interface StartLoopOptions extends LoopDemands {
  maxIterations?: number | undefined;
  completionPromise?: string | undefined;
  description?: string | undefined;
}

/** What came of the request for a loop. */
export type BegunLoop =
  /** `prompt` is what to tell the agent first; `loop` is the id that `ralph status` knows. */
  { started: true; loop: string; prompt: string } | { started: false; reason: string };

export interface RalphLoopHook {
  /** Starts a loop at once; false: it was not, and a toast says why. The first prompt is the caller's to inject. */
  startLoop: (sessionId: string, prompt: string, options?: StartLoopOptions) => boolean;
  /** Starts a loop after its checks have shown how things stand before any work. */
  beginLoop: (sessionId: string, prompt: string, options?: StartLoopOptions) => Promise<BegunLoop>;
  cancelLoop: (sessionId: string) => boolean;
  /** The active loop of a session, or the latest active one of the folder; null where there is none. */
  getState: (sessionId?: string) => RalphLoopState | null;
  isLoopActive: (sessionId: string) => boolean;
  /** Ends all waiting; loops stay as they are, for the next one that takes care of them. */
  close: () => void;
}

/** A message of a session. Only the text of those whose role is `assistant` can claim. */
export interface SessionMessage {
  role?: string | undefined;
  content?: string | readonly MessagePart[] | undefined;
}

/** A part of a message. Only what is of type `text` is said; what tools said and what was thought is not. */
export interface MessagePart {
  type?: string | undefined;
  text?: string | undefined;
}

/** What happened, in the words of the host. */
export interface HookContext {
  event: string;
  sessionId: string;
  data?: unknown;
}

/** What a handler may hand back to its host; ours has nothing to say. */
export type HookResult = Readonly<Record<string, unknown>>;

export interface Hook {
  name: string;
  description: string;
  priority: number;
  events: readonly string[];
  /** Never throws. Resolves when the event is answered: checks may take their time. */
  // biome-ignore lint/suspicious/noConfusingVoidType: hosts declare handlers like this.
  handler: (context: HookContext) => Promise<HookResult | void>;
}

export type LogLevel = "info" | "warn" | "error";

export interface RalphLoopOptions extends LoopDemands {
  config?: Partial<RalphLoopConfig>;
  /** The folder that the agent works in; the current one where it is left out. */
  workdir?: string;
  getMessages?: (sessionId: string) => Promise<readonly SessionMessage[]>;
  injectPrompt?: (sessionId: string, prompt: string) => Promise<void>;
  showToast?: (toast: Toast) => void;
  checkSessionExists?: (sessionId: string) => Promise<boolean>;
  /** Opens a fresh session for the next iteration and says its id: what `context: "reset"` needs. */
  createSession?: (sessionId: string) => Promise<string>;
  /** What a session has used so far, in all; null: nobody knows. Limits on cost and tokens need it. */
  getUsage?: (sessionId: string) => SessionUsage | null | Promise<SessionUsage | null>;
  /** The agent whose sessions these are: `ralph resume` goes on with a loop there without the host. */
  agent?: string;
  /** Where it is left out, warnings and errors become warnings of the process. */
  log?: (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void;
}

export type SessionUsage = Partial<Usage>;
