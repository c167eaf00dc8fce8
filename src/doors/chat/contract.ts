import type { Workspace } from "../../adapters/store/workspace.ts";
import type { IncomingMessage, Platform } from "../../core/platform.ts";
import type { RunStarted } from "../../core/workflow/events.ts";

/** What came of a message. */
export interface Heard {
  conversationId: string;
  /** The run that it started or queued; null: it started none. */
  runId: string | null;
  /** False: it was heard before, and nothing came of it this time. */
  isNew: boolean;
}

/** Listens to conversations, and drives the runs that they ask for. One for each repository. */
export interface Dispatcher {
  /** Resolves once the message and the run that it starts are durable. Throws `RalphError` for one that is too long or empty. */
  hear(incoming: IncomingMessage): Promise<Heard>;
  /** How many runs are driven at the moment. */
  running(): number;
  /** Goes on with a run that was interrupted, as soon as there is room for it. Throws for one that has ended, or is driven. */
  resume(id: string): Promise<void>;
  /** Resolves once nothing runs or waits, and all that was said is recorded. */
  idle(): Promise<void>;
  /** Asks what runs to stop as interrupted, and waits a bounded time; all of it can be gone on with. */
  close(): Promise<void>;
  /** Ends at once what `close` ends gently. */
  hurry(): void;
}

export interface DispatcherRequest {
  workspace: Workspace;
  /** By their names. A conversation of any other platform, such as `http`, is told by being recorded. */
  platforms: ReadonlyMap<string, Platform>;
  maxParallel: number;
  /** The agent that was asked for instead of the workflows' own. */
  agent: RunStarted["agent"];
  settingsPath?: string;
  /** One line for whoever runs the server; never a secret. */
  log(line: string): void;
}
