import type { Entry, LoopEvent, StopReason, StopRequest } from "./loop/events.ts";
import type { Door, Driver } from "./loop/spec.ts";
import type { LoopState } from "./loop/state.ts";
import type { LoopRole } from "./task/events.ts";

/**
 * What a writer remembers of a loop as it left it. Each entry's hash covers its text and the hash before it, so that
 * the last one covers all of them.
 */
export interface Seal {
  /** The hash of the last entry, and the one before it. */
  head: string;
  prev: string;
  /** The hash of the first entry, which contains the spec. */
  spec: string;
  /** The loop's row, as JSON. */
  row: string;
  /** Digest of the snapshot; empty if there is no snapshot. */
  snapshot: string;
}

/** What a writer expects the journal to be; the store refuses the write if it differs. */
export interface Fence {
  seq: number;
  epoch: number;
  seal: Seal;
}

/** A loop as a reader sees it. */
export interface LoopAt {
  id: string;
  seq: number;
  epoch: number;
  state: LoopState;
}

/** A loop as loaded for its driver. */
export interface LoadedLoop extends LoopAt, Fence {}

/** What is wrong with a journal. `entry`: where it begins; null: the entries are in order, what is kept with them is not. */
export interface Damage {
  entry: number | null;
  what: string;
}

/** What the verification of a loop's journal came to. */
export interface JournalCheck {
  entries: number;
  /** The hash of the last entry; null where no entry has one. */
  head: string | null;
  /** The first entry that has a hash: what was written before is older than the chain. Null: none has. */
  chainedFrom: number | null;
  damage: Damage | null;
}

/** What a driver found that another process had done to its journal. */
export interface Foreign {
  /** The first entry concerned. */
  entry: number;
  /** In words, bounded. */
  found: string;
}

/** An entry that another process wrote, kept aside: no state ever contains it. */
export interface ForeignEntry {
  seq: number;
  /** When it was found. */
  foundAtMs: number;
  /** Its content, shortened. */
  text: string;
}

/** A loop as lists show it: kept beside the journal, so that no list folds a history. */
export interface LoopSummary {
  id: string;
  door: Door;
  title: string;
  /** The task and the part of it that the loop works on; null for a loop of its own. */
  part: { task: string; place: LoopRole } | null;
  /** The run of a workflow and the name of its part that the loop works on; null for a loop of its own. */
  run: { run: string; part: string } | null;
  cwd: string;
  status: "running" | "waiting" | "stopped";
  reason: StopReason | null;
  detail: string;
  iteration: number;
  maxIterations: number | null;
  costUsd: number;
  tokens: number;
  waitUntilMs: number | null;
  /** How many acceptance criteria were proved when it was last looked; null where there are none. */
  proved: { proved: number; of: number } | null;
  createdAtMs: number;
  updatedAtMs: number;
  /** Who drives it or drove it last, in words. */
  holder: string;
  /** The host in whose session it is or was last; null where a process of ours drives it. */
  host: string | null;
  driver: Driver;
  /** The session that it continues in, or was last in; null if there is none. */
  sessionId: string | null;
}

export interface LoopFilter {
  active?: boolean;
  /** Only those that work on this task. */
  task?: string;
  /** Only those that belong to this run of a workflow. */
  run?: string;
  /** Only those of this session that its host drives. */
  session?: string;
  limit?: number;
}

/** A request of another process, which the loop's driver journals. */
export interface LoopRequest {
  /** `interrupt`: the host session of the loop is gone; its end was not requested. */
  command: "cancel" | "interrupt";
  by: string;
}

/** A stop as a request to the process that drives the loop. */
export const requestOf = ({ as, by }: StopRequest): LoopRequest => ({
  command: as === "cancelled" ? "cancel" : "interrupt",
  by,
});

/** The stop that a request asks for. */
export const stopOf = ({ command, by }: LoopRequest): StopRequest => ({
  as: command === "cancel" ? "cancelled" : "interrupted",
  by,
});

/**
 * The journal. `append` is one durable transaction: entries, the summary, and the snapshot when one is due. It throws
 * `fenced` when the loop has moved on under another driver, and `journal-foreign` when the journal is not what the
 * writer left and no driver's work either.
 */
export interface LoopStore {
  create(id: string, event: LoopEvent & { type: "loop.started" }, atMs: number): Promise<LoadedLoop>;
  /** Raises the epoch: the earlier driver is fenced off. Requests older than `atMs` were for that driver. */
  adopt(id: string, event: LoopEvent & { type: "loop.adopted" }, atMs: number, holder: string): Promise<LoadedLoop>;
  append(fence: Fence, entries: readonly Entry[], state: LoopState): Promise<Seal>;
  /**
   * Sets aside entries that are not the writer's own, and writes the result of `close` after the writer's last one. Only
   * for the process that has the loop's lease.
   */
  disown(fence: Fence, close: (found: Foreign) => Written): Promise<Written & { seal: Seal }>;
  /** For callers that resume it or rely on it: reads and verifies every entry. Throws `journal-damaged`. */
  load(id: string): Promise<LoadedLoop>;
  /** For callers that only show it: as far as it can be read, without verification. */
  glance(id: string): Promise<LoopAt>;
  /** Verifies a loop's journal in bounded memory. */
  check(id: string): Promise<JournalCheck>;
  /** What other processes wrote into the loop's journal, as far as its driver found it. */
  foreignEntries(id: string): Promise<ForeignEntry[]>;
  entries(id: string, afterSeq?: number): AsyncIterable<Entry>;
  summaries(filter?: LoopFilter): Promise<LoopSummary[]>;
  /** The loop whose id begins so; the newest one for `last`. Throws with the candidates when it is not one. */
  find(idOrPrefix: string): Promise<LoopSummary>;
  request(id: string, request: LoopRequest, atMs: number): Promise<void>;
  /** Requests that the loop has not handled yet; journalling a stop handles them all. */
  requests(id: string): Promise<LoopRequest[]>;
  /** Requests older than `beforeMs` were for an earlier driver, or have been handled. */
  forgetRequests(id: string, beforeMs: number): Promise<void>;
  /** Checks whether another connection has written since the last check. Cheap enough for a few times a second. */
  watchNews(): () => boolean;
  close(): void;
}

/** Entries, and the state after them. */
export interface Written {
  entries: readonly Entry[];
  state: LoopState;
}

type AtOnce =
  | "create"
  | "adopt"
  | "append"
  | "disown"
  | "load"
  | "glance"
  | "check"
  | "foreignEntries"
  | "summaries"
  | "find"
  | "request"
  | "forgetRequests"
  | "requests";

/** What can be done to the journal in one go, for those who need the answer at once. */
export type Journal = {
  [K in AtOnce]: (...asked: Parameters<LoopStore[K]>) => Awaited<ReturnType<LoopStore[K]>>;
};

/** The right to drive one loop; its holder's death gives it back. */
export interface Lease {
  /** Whether it still keeps others away: not once its file was removed or replaced. */
  isHeld(): boolean;
  release(): void;
}
