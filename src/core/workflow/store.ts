import type { LoopEvent } from "../loop/events.ts";
import type { Level } from "../proof/level.ts";
import type { Journals, Loaded } from "../store.ts";
import type { TaskEvent } from "../task/events.ts";
import type { Conversation, RunEvent, RunStarted } from "./events.ts";
import type { RunTypes } from "./kind.ts";
import type { RunState, RunStatus } from "./state.ts";

/** A run in a list, with what the document keeps of it. */
export interface RunSummary {
  id: string;
  workflow: string;
  /** What the user said. */
  message: string;
  conversation: Conversation | null;
  cwd: string;
  status: RunStatus;
  /** Why it failed, or is paused. */
  detail: string;
  /** The weakest level of its completed loops; null where it has none. */
  proof: Level | null;
  /** From 1: the current part, or the iteration of a workflow that is one loop. */
  currentStep: number;
  /** How many of them there are, or may be. */
  steps: number;
  metadata: Readonly<Record<string, unknown>>;
  costUsd: number;
  /** Who drives it or drove it last, in words. */
  holder: string;
  createdAtMs: number;
  updatedAtMs: number;
}

export interface RunFilter {
  status?: readonly RunStatus[];
  conversation?: Conversation;
  /** Only those that a conversation started, or only those of the command line. */
  talking?: boolean;
  /** The oldest first, as a queue is worked off; else the newest first. */
  oldestFirst?: boolean;
  limit?: number;
}

/** A run as its driver has it. */
export type LoadedRun = Loaded<RunState>;

/** A message of a conversation. `system`: from Ralph itself. */
export interface Message {
  id: number;
  role: "user" | "assistant" | "system";
  content: string;
  atMs: number;
  /** The run that it belongs to. */
  run: string | null;
}

export interface NewMessage extends Omit<Message, "id" | "atMs"> {
  conversation: Conversation;
  /** The platform's own name of it: one that comes twice is taken once. */
  externalId?: string;
}

/** The run that a message starts. */
export interface NewRun {
  id: string;
  event: RunStarted;
  /** What is known of it at once, such as that it has failed. */
  further?: readonly RunEvent[];
}

export interface MessagePage {
  /** Only those after the message of this id. */
  after?: number;
  /** The last ones, instead of the first ones. */
  latest?: boolean;
  /** The maximum number; 200 by default. */
  limit?: number;
}

/**
 * Runs of workflows, and what is said about them, in the database of the loops. Everything that writes is one durable
 * transaction; what does not fit throws a RalphError that names it, and nothing is written.
 */
export interface RunStore extends Journals<RunTypes> {
  create(id: string, event: RunStarted, atMs: number): Promise<LoadedRun>;
  list(filter?: RunFilter): Promise<RunSummary[]>;
  /** Of every conversation the queued run that has waited longest, the one that has waited longest of all first. */
  nextInLine(limit: number): Promise<RunSummary[]>;
  /** How many there are of each status. */
  counts(): Promise<Readonly<Partial<Record<RunStatus, number>>>>;
  /** The run whose id begins so; the newest one for `last`. Throws with the candidates when it is not one. */
  find(idOrPrefix: string): Promise<RunSummary>;
  /**
   * Writes down what was said, and the run that it starts, together: neither is there without the other. Null: heard
   * before.
   */
  hear(message: NewMessage, run: NewRun | null, atMs: number): Promise<Message | null>;
  /** The messages of a conversation in their order. */
  messages(conversation: Conversation, page?: MessagePage): Promise<Message[]>;
}

interface FeedPlace {
  /** Rises from entry to entry; some numbers may be missing. */
  id: number;
  /** The loop, the task, the run, or the conversation as `platform:id`. */
  subject: string;
  /** Its place in the journal of the subject; the id of a message. */
  seq: number;
  atMs: number;
}

/** One event of any journal, in the order in which it became durable. */
export type FeedEntry = FeedPlace &
  (
    | { kind: "loop"; event: LoopEvent }
    | { kind: "task"; event: TaskEvent }
    | { kind: "run"; event: RunEvent }
    | { kind: "message"; event: Message }
  );

/**
 * All journals as one stream. An entry gets its id no earlier than it becomes visible, and never one below an id that
 * was given out before: a reader that asks for what came after the last id it saw misses nothing, however many
 * processes write. The entries of a task that was removed are no longer in it.
 */
export interface Feed {
  /** At most `limit` entries, and never more than 1,000. */
  after(id: number, limit: number): Promise<FeedEntry[]>;
  /** The id of the last entry; 0 if there are no entries. Cheap enough to be asked a few times a second. */
  last(): Promise<number>;
}
