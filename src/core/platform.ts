/** How a platform wants to be told: each message as it comes, or those of an iteration together. */
export type StreamingMode = "stream" | "batch";

export interface OutgoingMessage {
  conversation: string;
  content: string;
  /** The run that it belongs to. */
  run: string | null;
  /** `system`: what Ralph says of itself. */
  role: "assistant" | "system";
  /** When it was said. */
  atMs: number;
}

/** What came of sending; `again`: another try may help, not before so many milliseconds. */
export type Sent = { is: "sent" } | { is: "failed"; why: string; again: boolean; afterMs?: number };

/** A place where people are told what happens. Never throws: what fails is an answer. */
export interface Platform {
  name: string;
  mode: StreamingMode;
  /** Longer messages are split. */
  maxChars: number;
  sendMessage(message: OutgoingMessage, quit: AbortSignal): Promise<Sent>;
}

/** What somebody said on a platform. */
export interface IncomingMessage {
  platform: string;
  conversation: string;
  text: string;
  /** The platform's own name of it: one that comes twice is taken once. */
  externalId?: string;
}

/** One thing to be told. Tool calls are left out where messages are told together; critical ones are tried harder. */
export interface Telling {
  kind: "progress" | "assistant" | "tool";
  text: string;
  critical?: boolean;
}

/** Tells a conversation what happens: in its order, and beside the work, which neither waits for it nor fails with it. */
export interface Teller {
  mode: StreamingMode;
  tell(telling: Telling): void;
  /** Gives what is pending a bounded time; how many messages nobody was told. */
  close(): Promise<{ dropped: number }>;
}
