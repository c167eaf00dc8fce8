/** How a platform wants messages: each one as it comes, or those of an iteration together. */
export type StreamingMode = "stream" | "batch";

export interface OutgoingMessage {
  conversation: string;
  content: string;
  /** The run that it belongs to. */
  run: string | null;
  /** `system`: Ralph's own messages. */
  role: "assistant" | "system";
  /** When it was recorded. */
  atMs: number;
}

/** The result of sending. `again`: a retry may help, after `afterMs` where the platform names a time. */
export type Sent = { is: "sent" } | { is: "failed"; why: string; again: boolean; afterMs?: number };

/** Sends messages to a platform. Never throws: a failure is a result. */
export interface Outbound {
  mode: StreamingMode;
  /** Longer messages are split. */
  maxChars: number;
  send(message: OutgoingMessage, quit: AbortSignal): Promise<Sent>;
}

/** A message that a user wrote on a platform. */
export interface PlatformMessage {
  conversation: string;
  text: string;
  /** The platform's own id of it: a second delivery of the same message is ignored. */
  externalId?: string;
}

/** A platform's message, and the platform it came from. */
export interface IncomingMessage extends PlatformMessage {
  platform: string;
}

/** What an incoming message has started. */
export interface AcceptedMessage {
  conversationId: string;
  /** The run that it started or queued; null: it started none. */
  runId: string | null;
  /** False: the message was accepted before, and is ignored. */
  isNew: boolean;
}

/** Resolves once the message, and the run that it starts, are durable. */
export type AcceptMessage = (message: PlatformMessage) => Promise<AcceptedMessage>;

/** A request that a platform sent to its route of the server. */
export interface InboundRequest {
  /** The body, parsed by the schema of the route's operation; null where it has none. */
  body: unknown;
  /** The body as it came: signatures are computed from these bytes. */
  text: string;
  header(name: string): string | null;
}

export interface Polling {
  accept: AcceptMessage;
  log(line: string): void;
  /** Ends the polling. */
  quit: AbortSignal;
}

/** How messages come in: Ralph polls the platform, or the platform sends requests to a route of the server. */
export type Inbound =
  | { by: "polling"; follow(polling: Polling): Promise<void> }
  /** Returns the JSON to answer with; throws `RalphError` for a request that is refused. */
  | { by: "request"; receive(request: InboundRequest, accept: AcceptMessage): Promise<unknown> };

/** A line of progress. Tool calls are left out in batch mode; critical ones are retried longer. */
export interface ProgressReport {
  kind: "progress" | "assistant" | "tool";
  text: string;
  critical?: boolean;
}

/** Reports to a conversation what happens, in order. The work neither waits for it nor fails with it. */
export interface ProgressReporter {
  mode: StreamingMode;
  report(report: ProgressReport): void;
  /** Waits a bounded time for pending reports; returns how many were dropped. */
  close(): Promise<{ dropped: number }>;
}
