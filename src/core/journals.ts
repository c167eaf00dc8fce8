import type { Foreign, JournalTypes } from "./subject.ts";

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
