import type { Inbox } from "../inbox.ts";
import type { Journals, Loaded } from "../journals.ts";
import type { LoopRole } from "../task/role.ts";
import type { LoopEvent, StopReason } from "./events.ts";
import type { LoopTypes } from "./kind.ts";
import type { Door, Driver } from "./spec.ts";
import type { LoopState } from "./state.ts";

/** A loop as loaded by its driver. */
export type LoadedLoop = Loaded<LoopState>;

/** A loop in a list: stored beside the journal, so that lists need not fold journals. */
export interface LoopSummary {
  id: string;
  door: Door;
  title: string;
  /** The task and the part of it that the loop works on; null for a separate loop. */
  part: { task: string; place: LoopRole } | null;
  /** The workflow run and the name of its part that the loop works on; null for a separate loop. */
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
  /** How many acceptance criteria were proved by the last verification; null if there are none. */
  proved: { proved: number; of: number } | null;
  createdAtMs: number;
  updatedAtMs: number;
  /** Its current or last driver, in words. */
  holder: string;
  /** The host that drives it or last drove it; null if the driver is a Ralph process. */
  host: string | null;
  driver: Driver;
  /** Its current or last session; null if there is none. */
  sessionId: string | null;
}

export interface LoopFilter {
  active?: boolean;
  /** Only loops of this task. */
  task?: string;
  /** Only loops of this workflow run. */
  run?: string;
  /** Only loops of this session that its host drives. */
  session?: string;
  /** Only loops with an entry at or after this time; not together with the others. */
  sinceMs?: number;
  limit?: number;
}

/** Loops. */
export interface LoopStore extends Journals<LoopTypes> {
  create(id: string, event: LoopEvent & { type: "loop.started" }, atMs: number): Promise<LoadedLoop>;
  summaries(filter?: LoopFilter): Promise<LoopSummary[]>;
  /** The loop with this id prefix; the newest one for `last`. Throws with the candidates if it is not unique. */
  find(idOrPrefix: string): Promise<LoopSummary>;
}

type AtOnce = "create" | "adopt" | "append" | "load" | "glance" | "check" | "summaries" | "find" | keyof Inbox;

/** The synchronous operations of the hook library on the journals of loops. */
export type LoopJournal = {
  [K in AtOnce]: (...asked: Parameters<(LoopStore & Inbox)[K]>) => Awaited<ReturnType<(LoopStore & Inbox)[K]>>;
};
