import type { LoopEvent, StopReason, StopRequest } from "./loop/events.ts";
import type { LoopTypes } from "./loop/kind.ts";
import type { Door, Driver } from "./loop/spec.ts";
import type { LoopState } from "./loop/state.ts";
import type { Foreign, JournalTypes, Subject } from "./subject.ts";
import type { LoopRole } from "./task/role.ts";

/**
 * The state of a journal after a writer's last write. Each entry's hash covers its text and the previous hash, so that
 * the last one covers all of them.
 */
export interface Seal {
  /** The hash of the last entry, and the one before it. */
  head: string;
  prev: string;
  /** The hash of the first entry, which defines the work. */
  first: string;
  /** Whether the last entry is stored with its hash: entries of earlier versions are not. */
  isChained: boolean;
  /** The columns of the subject's row that follow from its journal, as JSON. */
  row: string;
  /** Digest of the snapshot; empty if there is no snapshot. */
  snapshot: string;
}

/** The writer's expectation of a subject's journal; the store refuses the write if it does not match. */
export interface Fence {
  id: string;
  seq: number;
  epoch: number;
  seal: Seal;
}

/** A subject as loaded by a reader. */
export interface SubjectSeen<State> {
  id: string;
  seq: number;
  epoch: number;
  state: State;
}

/** A subject as loaded by its driver. */
export interface Loaded<State> extends SubjectSeen<State>, Fence {
  /** When the last entry was written; 0: there are no entries. */
  atMs: number;
}

/** A loop as loaded by its driver. */
export type LoadedLoop = Loaded<LoopState>;

/** Damage to a journal. `entry`: the first damaged one; null: the entries are intact, data stored with them is not. */
export interface Damage {
  entry: number | null;
  what: string;
}

/** The result of verifying a loop's journal. */
export interface JournalCheck {
  entries: number;
  /** The hash of the last entry; null if no entry has one. */
  head: string | null;
  /** The first entry with a hash: earlier ones are older than the hash chain. Null: no entry has one. */
  chainedFrom: number | null;
  damage: Damage | null;
}

/** An entry that another process wrote. It is set aside, and no state ever contains it. */
export interface ForeignEntry {
  seq: number;
  /** When it was found. */
  foundAtMs: number;
  /** Its content, shortened. */
  text: string;
}

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
  limit?: number;
}

/** A request of another process, which the driver of the subject journals. */
export interface InboxRequest {
  /** `interrupt`: the loop's session is gone or cannot continue; the user did not cancel the loop. */
  command: "cancel" | "interrupt";
  by: string;
}

/** Converts a stop by another process to a request. */
export const requestOf = ({ as, by }: StopRequest): InboxRequest => ({
  command: as === "cancelled" ? "cancel" : "interrupt",
  by,
});

/** Converts a request to a stop. */
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
 * The journals of one kind of subject. `append` is one durable transaction: entries, the row for lists, and the
 * snapshot when one is due. It throws `fenced` if another driver has continued the subject, and `journal-foreign` if
 * the journal was changed by anything other than a driver.
 */
export interface Journals<T extends JournalTypes> {
  /**
   * Reads the journal and raises the epoch in one transaction: the previous driver is fenced off, whatever it does at
   * the same moment. Requests older than `atMs` were for the previous driver.
   */
  adopt(id: string, event: T["event"], atMs: number, holder: string): Promise<Loaded<T["state"]>>;
  append(fence: Fence, entries: readonly T["entry"][], state: T["state"]): Promise<Seal>;
  /**
   * Sets foreign entries aside, and appends the entries that `close` returns to the writer's own head. Only for the
   * holder of the lease.
   */
  disown(fence: Fence, close: (found: Foreign) => Written<T>): Promise<Written<T> & { seal: Seal }>;
  /** For callers that continue the subject or rely on it: reads and verifies every entry. Throws `journal-damaged`. */
  load(id: string): Promise<Loaded<T["state"]>>;
  /** For display: reads as far as possible, without verification. */
  glance(id: string): Promise<SubjectSeen<T["state"]>>;
  /** Verifies a journal in bounded memory. */
  check(id: string): Promise<JournalCheck>;
  /** Foreign entries that the driver found in the journal. */
  foreignEntries(id: string): Promise<ForeignEntry[]>;
  entries(id: string, afterSeq?: number): AsyncIterable<T["entry"]>;
}

/** The journals of loops, and operations common to all journals of a workspace. */
export interface LoopStore extends Journals<LoopTypes> {
  create(id: string, event: LoopEvent & { type: "loop.started" }, atMs: number): Promise<LoadedLoop>;
  summaries(filter?: LoopFilter): Promise<LoopSummary[]>;
  /** The loop with this id prefix; the newest one for `last`. Throws with the candidates if it is not unique. */
  find(idOrPrefix: string): Promise<LoopSummary>;
  request(subject: Subject, request: InboxRequest, atMs: number): Promise<void>;
  /** Requests that the subject has not answered yet; journalling a stop answers all of them. */
  requests(subject: Subject): Promise<InboxRequest[]>;
  /**
   * Calls back soon after another connection writes, and once at the start; calls may be coalesced. Does not keep the
   * process alive.
   */
  onNews(listener: () => void): { close(): void };
  /** Changes whenever another connection writes. Cheap enough to read before every decision. */
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

/** The synchronous operations of the hook library on the journals of loops. */
export type LoopJournal = {
  [K in AtOnce]: (...asked: Parameters<LoopStore[K]>) => Awaited<ReturnType<LoopStore[K]>>;
};

/** The right to drive one subject; it is released when its holder's process dies. */
export interface Lease {
  /** Whether it is still valid. */
  isHeld(): boolean;
  /** Fires when it is lost without having been released. */
  lost: AbortSignal;
  /** May be called more than once. */
  release(): void;
}

/** Names of leases: a subject, or work that only one process of a workspace does at a time. */
export type Exclusive = Subject | "merge" | "conversations" | "server";

/** The leases of a workspace, shared by all its processes. */
export interface Leases {
  /** Null: another process has it. */
  take(what: Exclusive): Promise<Lease | null>;
  /** Whether a process holds it now. */
  isTaken(what: Exclusive): Promise<boolean>;
}
