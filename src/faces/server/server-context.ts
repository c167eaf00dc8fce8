import type { Workspace } from "../../adapters/store/workspace.ts";
import type { Chat } from "../../doors/chat/contract.ts";
import type { EventHub } from "./event-hub.ts";

/** What the handlers of requests work with. */
export interface ServerContext {
  /** A connection of its own: a request made through it is news for a loop that this process drives. */
  workspace: Workspace;
  chat: Chat;
  events: EventHub;
  /** Names of the platforms that are set up. */
  platforms: readonly string[];
  maxParallel: number;
  startedAtMs: number;
  /** Aborted when the server stops. */
  closing: AbortSignal;
}
