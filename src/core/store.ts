import type { Entry, LoopEvent, StopReason, StopRequest } from "./loop/events.ts";
import type { Door, Driver } from "./loop/spec.ts";
import type { LoopState } from "./loop/state.ts";
import type { Place } from "./task/events.ts";

/** What a writer believes the journal to hold; the store refuses the write when it does not. */
export interface Fence {
  seq: number;
  epoch: number;
}

/** A loop as its driver holds it. */
export interface LoadedLoop extends Fence {
  id: string;
  state: LoopState;
}

/** A loop as lists show it: kept beside the journal, so that no list folds a history. */
export interface LoopSummary {
  id: string;
  door: Door;
  title: string;
  /** The task and the part of it that the loop works on; null for a loop of its own. */
  part: { task: string; place: Place } | null;
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
  driver: Driver;
  /** The session that it goes on in, or was last in; null where there is none. */
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

/** A wish of another process, for the holder of the loop to journal. */
export interface LoopRequest {
  /** `interrupt`: the place where the loop went on is gone; nobody wanted its end. */
  command: "cancel" | "interrupt";
  by: string;
}

/** The wish that somebody else's stop becomes. */
export const requestOf = ({ as, by }: StopRequest): LoopRequest => ({
  command: as === "cancelled" ? "cancel" : "interrupt",
  by,
});

/** The stop that a wish asks for. */
export const stopOf = ({ command, by }: LoopRequest): StopRequest => ({
  as: command === "cancel" ? "cancelled" : "interrupted",
  by,
});

/**
 * The journal. `append` is one durable transaction: entries, the summary, and the snapshot when one is due.
 * It throws `fenced` when the loop has moved on under another driver.
 */
export interface LoopStore {
  create(id: string, event: LoopEvent & { type: "loop.started" }, atMs: number): Promise<LoadedLoop>;
  /** Raises the epoch: whoever drove the loop before is fenced off. Wishes older than `atMs` were for that one. */
  adopt(id: string, event: LoopEvent & { type: "loop.adopted" }, atMs: number, holder: string): Promise<LoadedLoop>;
  append(fence: Fence, entries: readonly Entry[], state: LoopState): Promise<void>;
  load(id: string): Promise<LoadedLoop>;
  entries(id: string, afterSeq?: number): AsyncIterable<Entry>;
  summaries(filter?: LoopFilter): Promise<LoopSummary[]>;
  /** The loop whose id begins so; the newest one for `last`. Throws with the candidates when it is not one. */
  find(idOrPrefix: string): Promise<LoopSummary>;
  request(id: string, request: LoopRequest, atMs: number): Promise<void>;
  /** Wishes that the loop has not taken up yet; journalling a stop takes them all up. */
  requests(id: string): Promise<LoopRequest[]>;
  /** Wishes older than `beforeMs` were for somebody who is gone, or have been fulfilled. */
  forgetRequests(id: string, beforeMs: number): Promise<void>;
  /** A look whether another connection has written since the look before. Cheap enough to be taken a few times a second. */
  watchNews(): () => boolean;
  close(): void;
}

/** What can be done to the journal in one go, for those who need the answer at once. */
export type Journal = {
  [K in "create" | "adopt" | "append" | "load" | "summaries" | "find" | "request" | "forgetRequests" | "requests"]: (
    ...asked: Parameters<LoopStore[K]>
  ) => Awaited<ReturnType<LoopStore[K]>>;
};

/** The right to drive one loop; its holder's death gives it back. */
export interface Lease {
  release(): void;
}
