import type { OpenPlatform } from "../../adapters/platforms/platform.ts";
import type { AcceptedMessage, InboundRequest, IncomingMessage } from "../../core/platform.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { Workspace } from "../../core/workspace.ts";

/** Accepts messages and drives the runs that they request. One per repository. */
export interface Chat {
  /** Resolves once the message and the run that it starts are durable. Throws if it is too long or empty. */
  accept(incoming: IncomingMessage): Promise<AcceptedMessage>;
  /** Handles a request from a platform; returns the JSON to answer with. Throws if the platform is not set up. */
  receive(platform: string, request: InboundRequest): Promise<unknown>;
  running(): number;
  /** Queues an interrupted run to be resumed. Throws if it has ended or is being driven. */
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
  /** The configured platforms by name. Conversations of other platforms are only recorded. */
  platforms: ReadonlyMap<string, OpenPlatform>;
  maxParallel: number;
  /** The agent to use instead of the workflows' own. */
  agent: RunStarted["agent"];
  settingsPath?: string;
  /** One line for the operator of the server; never a secret. */
  log(line: string): void;
}
