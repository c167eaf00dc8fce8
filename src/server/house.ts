import type { Dispatcher } from "../wire/conversation/contract.ts";
import type { Workspace } from "../wire/workspace.ts";
import type { EventHub } from "./event-hub.ts";

/** What the handlers of requests work with. */
export interface House {
  /** A connection of its own: what is asked through it is news for whoever drives a loop in this process. */
  workspace: Workspace;
  dispatcher: Dispatcher;
  events: EventHub;
  platforms: readonly string[];
  maxParallel: number;
  startedAtMs: number;
  /** Aborted when the server stops. */
  closing: AbortSignal;
}
