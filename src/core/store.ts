import type { LoopEvent, StopReason, StopRequest } from "./loop/events.ts";
import type { LoopTypes } from "./loop/kind.ts";
import type { Door, Driver } from "./loop/spec.ts";
import type { LoopState } from "./loop/state.ts";
import type { Foreign, JournalTypes, Subject } from "./subject.ts";
import type { LoopRole } from "./task/events.ts";

/**
 * What a writer remembers of a journal as it left it. Each entry's hash covers its text and the hash before it, so that
 * the last one covers all of them.
 */
export interface Seal {
  /** The hash of the last entry, and the one before it. */
  head: string;
  prev: string;
  /** The hash of the first entry, which says what is to be done. */
  first: string;
  /** Whether the last entry is stored with its hash: those of earlier versions are not. */
  isChained: boolean;
  /** The columns of the subject's row that only its journal changes, as JSON. */
  row: string;
  /** Digest of the snapshot; empty if there is no snapshot. */
  snapshot: string;
}

/** What a writer believes the journal of a subject to contain; the store refuses the write when it does not. */
export interface Fence {
  id: string;
  seq: number;
  epoch: number;
  seal: Seal;
}

/** A subject as a reader sees it. */
export interface SubjectSeen<State> {
  id: string;
  seq: number;
  epoch: number;
  state: State;
}

/** A subject as its driver has it. */
export interface Loaded<State> extends SubjectSeen<State>, Fence {
  /** When the last entry was written; 0: there is none. */
  atMs: number;
}

/** A loop as its driver has it. */
export type LoadedLoop = Loaded<LoopState>;

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

/** A request of another process, for the driver of a subject to journal. */
export interface InboxRequest {
  /** `interrupt`: the place where the loop ran is gone; its end was not asked for. */
  command: "cancel" | "interrupt";
  by: string;
}

/** The request that a stop of another process becomes. */
export const requestOf = ({ as, by }: StopRequest): InboxRequest => ({
  command: as === "cancelled" ? "cancel" : "interrupt",
  by,
});

/** The stop that a request asks for. */
export const stopOf = ({ command, by }: InboxRequest): StopRequest => ({
  as: command === "cancel" ? "cancelled" : "interrupted",
  by,
});

/** Entries, and the state after them. */
export interface Written<T extends JournalTypes> {
  entries: readonly T["entry"][];
  state: T["state"];
}

/**
 * The journals of one kind of subject. `append` is one durable transaction: entries, the row that lists read, and the
 * snapshot when one is due. It throws `fenced` when the subject has moved on under another driver, and
 * `journal-foreign` when the journal is neither what the writer left nor another driver's work.
 */
export interface Journals<T extends JournalTypes> {
  /**
   * Raises the epoch, in one transaction with reading the journal: the driver before is fenced off, whatever it does at
   * the same moment. Requests older than `atMs` were for that one.
   */
  adopt(id: string, event: T["event"], atMs: number, holder: string): Promise<Loaded<T["state"]>>;
  append(fence: Fence, entries: readonly T["entry"][], state: T["state"]): Promise<Seal>;
  /**
   * Keeps aside what is not the writer's own, and writes what `close` makes of that on the writer's own head. Only for
   * the holder of the lease.
   */
  disown(fence: Fence, close: (found: Foreign) => Written<T>): Promise<Written<T> & { seal: Seal }>;
  /** For those who continue it, or rely on it: reads and verifies every entry. Throws `journal-damaged`. */
  load(id: string): Promise<Loaded<T["state"]>>;
  /** For those who only show it: as far as it can be read, without verification. */
  glance(id: string): Promise<SubjectSeen<T["state"]>>;
  /** Verifies a journal in bounded memory. */
  check(id: string): Promise<JournalCheck>;
  /** What other processes wrote into the journal, as far as its driver found it. */
  foreignEntries(id: string): Promise<ForeignEntry[]>;
  entries(id: string, afterSeq?: number): AsyncIterable<T["entry"]>;
}

/** The journals of loops, and what is common to all journals of a workspace. */
export interface LoopStore extends Journals<LoopTypes> {
  create(id: string, event: LoopEvent & { type: "loop.started" }, atMs: number): Promise<LoadedLoop>;
  summaries(filter?: LoopFilter): Promise<LoopSummary[]>;
  /** The loop whose id begins so; the newest one for `last`. Throws with the candidates when it is not one. */
  find(idOrPrefix: string): Promise<LoopSummary>;
  request(subject: Subject, request: InboxRequest, atMs: number): Promise<void>;
  /** Requests that the subject has not answered yet; journalling its stop answers all of them. */
  requests(subject: Subject): Promise<InboxRequest[]>;
  /**
   * Calls back soon after another connection has written, and once at the beginning; calls that come close together may
   * become one. Does not keep the process alive.
   */
  onNews(listener: () => void): { close(): void };
  /** Changes whenever another connection has written. Cheap enough to be read before every decision. */
  revision(): Promise<string>;
  close(): void;
}

type AtOnce =
  | "create"
  | "adopt"
  | "append"
  | "load"
  | "glance"
  | "check"
  | "summaries"
  | "find"
  | "request"
  | "requests";

/** What the hook library does to the journals of loops without waiting. */
export type LoopJournal = {
  [K in AtOnce]: (...asked: Parameters<LoopStore[K]>) => Awaited<ReturnType<LoopStore[K]>>;
};

/** The right to drive one subject; the death of its holder's process gives it back. */
export interface Lease {
  /** Whether it still keeps others away. */
  isHeld(): boolean;
  /** Fires when it no longer does, although it was not released. */
  lost: AbortSignal;
  /** May be called more than once. */
  release(): void;
}

/** What only one process of a workspace does at a time: driving a subject, or one of these. */
export type Exclusive = Subject | "merge" | "conversations" | "server";

/** Who does what, known to every process that works on the same workspace. */
export interface Leases {
  /** Null: another process has it. */
  take(what: Exclusive): Promise<Lease | null>;
  /** Whether a process has it just now. */
  isTaken(what: Exclusive): Promise<boolean>;
}
