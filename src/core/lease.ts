import type { Addressee } from "./subject.ts";

/** The right to drive one subject; it is released when its holder's process dies. */
export interface Lease {
  /** Whether it is still valid. */
  isHeld(): boolean;
  /** Fires when it is lost without having been released. */
  lost: AbortSignal;
  /** May be called more than once. */
  release(): void;
}

/** Names of leases: a subject, an execution, or work that only one process of a workspace does at a time. */
export type Exclusive = Addressee | "merge" | "start" | "conversations" | "server";

/** The leases of a workspace, shared by all its processes. */
export interface Leases {
  /** Null: another process has it. */
  take(what: Exclusive): Promise<Lease | null>;
  /** Whether a process holds it now. */
  isTaken(what: Exclusive): Promise<boolean>;
  /** The same for many. */
  areTaken(whats: readonly Exclusive[]): Promise<boolean[]>;
}
