import type { Journals, Loaded } from "../journals.ts";
import type { Level } from "../proof/level.ts";
import type { Conversation, RunEvent, RunStarted } from "./events.ts";
import type { RunTypes } from "./kind.ts";
import type { RunState, RunStatus } from "./state.ts";

/** A run in a list, with the documented fields. */
export interface RunSummary {
  id: string;
  workflow: string;
  /** The user's message. */
  message: string;
  conversation: Conversation | null;
  cwd: string;
  status: RunStatus;
  /** Why it failed or is paused. */
  detail: string;
  /** The weakest level of its completed loops; null if there are none. */
  proof: Level | null;
  /** From 1: the current part, or the iteration of a workflow that is one loop. */
  currentStep: number;
  /** The number of parts, or the maximum number of iterations. */
  steps: number;
  metadata: Readonly<Record<string, unknown>>;
  costUsd: number;
  /** Its current or last driver, in words. */
  holder: string;
  createdAtMs: number;
  updatedAtMs: number;
}

export interface RunFilter {
  status?: readonly RunStatus[];
  conversation?: Conversation;
  /** Only runs that a conversation started, or only those of the command line. */
  talking?: boolean;
  /** Oldest first, as in a queue; otherwise newest first. */
  oldestFirst?: boolean;
  limit?: number;
}

/** A run as loaded by its driver. */
export type LoadedRun = Loaded<RunState>;

/** A message of a conversation. `system`: from Ralph itself. */
export interface Message {
  id: number;
  role: "user" | "assistant" | "system";
  content: string;
  atMs: number;
  /** The run it belongs to. */
  run: string | null;
}

export interface NewMessage extends Omit<Message, "id" | "atMs"> {
  conversation: Conversation;
  /** The platform's id of the message: a second delivery is ignored. */
  externalId?: string;
}

/** The run that a message starts. */
export interface NewRun {
  id: string;
  event: RunStarted;
  /** Further initial events, such as its failure. */
  further?: readonly RunEvent[];
}

export interface MessagePage {
  /** Only messages after the one with this id. */
  after?: number;
  /** The last messages instead of the first. */
  latest?: boolean;
  /** The maximum number; 200 by default. */
  limit?: number;
}

/**
 * Workflow runs and their messages, in the same database as the loops. Every write is one durable transaction. Invalid
 * input throws a RalphError that names it, and nothing is written.
 */
export interface RunStore extends Journals<RunTypes> {
  create(id: string, event: RunStarted, atMs: number): Promise<LoadedRun>;
  list(filter?: RunFilter): Promise<RunSummary[]>;
  /** The oldest queued run of every conversation, oldest first. */
  nextInLine(limit: number): Promise<RunSummary[]>;
  /** The number of runs of each status. */
  counts(): Promise<Readonly<Partial<Record<RunStatus, number>>>>;
  /** The run with this id prefix; the newest one for `last`. Throws with the candidates if it is not unique. */
  find(idOrPrefix: string): Promise<RunSummary>;
  /**
   * Stores a message and the run it starts in one transaction. Null: the message is a repeat.
   */
  hear(message: NewMessage, run: NewRun | null, atMs: number): Promise<Message | null>;
  /** The messages of a conversation, in order. */
  messages(conversation: Conversation, page?: MessagePage): Promise<Message[]>;
}
