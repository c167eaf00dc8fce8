import type { Workspace } from "../../adapters/store/workspace.ts";
import type { IncomingMessage } from "../../core/platform.ts";
import type { Dispatcher } from "../../doors/chat/contract.ts";
import type { EventHub } from "./event-hub.ts";

/** A request of Slack's, as it came: the signature is over the body byte by byte. */
interface SlackRequest {
  body: string;
  timestamp: string | undefined;
  signature: string | undefined;
}

/** What a request of Slack's is. */
type SlackHeard =
  | { is: "challenge"; challenge: string }
  | { is: "message"; message: IncomingMessage }
  | { is: "ignored"; why: string }
  | { is: "refused"; why: string };

/** What the handlers of requests work with. */
export interface ServerContext {
  /** A connection of its own: what is asked through it is news for whoever drives a loop in this process. */
  workspace: Workspace;
  dispatcher: Dispatcher;
  events: EventHub;
  /** Names of the platforms that are set up. */
  platforms: readonly string[];
  /** Reads what Slack sends; null: it is not set up. */
  hearSlack: ((request: SlackRequest) => SlackHeard) | null;
  maxParallel: number;
  startedAtMs: number;
  /** Aborted when the server stops. */
  closing: AbortSignal;
}
