/** How a platform gets messages: each one immediately, or those of an iteration together. */
export type StreamingMode = "stream" | "batch";

export interface OutgoingMessage {
  conversation: string;
  content: string;
  /** The run it belongs to. */
  run: string | null;
  /** `system`: Ralph's own messages. */
  role: "assistant" | "system";
  /** When it was recorded. */
  atMs: number;
}

/** The result of sending. `again`: a retry may help, after `afterMs` if the platform names a time. */
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

/** A message and the platform it came from. */
export interface IncomingMessage extends PlatformMessage {
  platform: string;
}

/** The result of an incoming message. */
export interface AcceptedMessage {
  conversationId: string;
  /** The run it started or queued; null: none. */
  runId: string | null;
  /** False: the message was accepted before, and is ignored. */
  isNew: boolean;
}

/** Resolves once the message and the run it starts are durable. */
export type AcceptMessage = (message: PlatformMessage) => Promise<AcceptedMessage>;

/** A request that a platform sent to its route of the server. */
export interface InboundRequest {
  /** The body, parsed by the schema of the route's operation; null if it has none. */
  body: unknown;
  /** The unparsed body: signatures are computed from these bytes. */
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
  /** Returns the JSON response; throws `RalphError` for a request that is refused. */
  | { by: "request"; receive(request: InboundRequest, accept: AcceptMessage): Promise<unknown> };

/** A line of progress. Tool calls are omitted in batch mode; critical lines are retried longer. */
export interface ProgressReport {
  kind: "progress" | "assistant" | "tool";
  text: string;
  critical?: boolean;
}

/** Reports progress to a conversation, in order. The work neither waits for it nor fails with it. */
export interface ProgressReporter {
  mode: StreamingMode;
  report(report: ProgressReport): void;
  /** Waits a bounded time for pending reports; returns how many were dropped. */
  close(): Promise<{ dropped: number }>;
}
