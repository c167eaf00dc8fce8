import type { OpenPlatform } from "../../adapters/platforms/platform.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import type { AcceptedMessage, InboundRequest, IncomingMessage } from "../../core/platform.ts";
import type { RunStarted } from "../../core/workflow/events.ts";

/** Accepts the messages of conversations, and drives the runs that they ask for. One per repository. */
export interface Chat {
  /** Resolves once the message and the run that it starts are durable. Throws `RalphError` for one that is too long or empty. */
  accept(incoming: IncomingMessage): Promise<AcceptedMessage>;
  /** Handles a request that a platform sent; returns the JSON to answer with. Throws for a platform that is not set up. */
  receive(platform: string, request: InboundRequest): Promise<unknown>;
  running(): number;
  /** Resumes an interrupted run as soon as there is room for it. Throws for one that has ended, or is being driven. */
  resume(id: string): Promise<void>;
  /** Resolves once no run is active or queued, and every message is recorded. */
  idle(): Promise<void>;
  /** Asks active runs to stop as interrupted, and waits a bounded time; all of them can be resumed. */
  close(): Promise<void>;
  /** Ends at once the runs that `close` asks to stop. */
  hurry(): void;
}

export interface ChatRequest {
  workspace: Workspace;
  /** Those that are set up, by name. A conversation of any other platform is only recorded. */
  platforms: ReadonlyMap<string, OpenPlatform>;
  maxParallel: number;
  /** The agent that was asked for instead of the workflows' own. */
  agent: RunStarted["agent"];
  settingsPath?: string;
  /** One line for the operator of the server; never a secret. */
  log(line: string): void;
}
