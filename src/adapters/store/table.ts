import type { RalphError } from "../../core/errors.ts";
import type { Damage } from "../../core/journals.ts";
import type { JournalTypes, Kind } from "../../core/subject.ts";
import type { StoredRow } from "./cells.ts";
import type { Prepare } from "./statements.ts";

/** A journal read up to one entry. */
export interface Walked<T extends JournalTypes> {
  seq: number;
  epoch: number;
  atMs: number;
  state: T["state"];
  head: string;
  prev: string;
  first: string;
  chainedFrom: number | null;
  /** The `CORE_VERSION` that drove it last; null if not recorded. */
  version: string | null;
}

export interface Projection<T extends JournalTypes> {
  id: string;
  row: StoredRow;
  seq: number;
  epoch: number;
  head: string;
  /** Null if unchanged. */
  holder: string | null;
  entries: readonly T["entry"][];
  state: T["state"];
}

/** The rows of one kind of subject, for lists. Each row derives from the journal of its subject. */
export interface Table<T extends JournalTypes> {
  kind: Kind<T>;
  /** The columns that only the journal changes: a driver detects any other change. */
  sealed: readonly string[];
  /** The sealed columns and `seq`; null if there is no row. */
  row(sql: Prepare, id: string): StoredRow | null;
  /** Writes the row. Returns its sealed columns, or null if the row is gone or has changed. */
  project(sql: Prepare, change: Projection<T>): StoredRow | null;
  /** Restores the sealed columns; null if removing the row removes the subject. */
  putBack: ((sql: Prepare, row: StoredRow) => void) | null;
  /** Where a row differs from its entries. */
  damage(walked: Walked<T>, row: StoredRow): Damage | null;
  /** Converts an entry for readers that do not verify; `before` are the entries before it on its page. */
  relabel?(sql: Prepare, entry: T["entry"], before: readonly T["entry"][]): T["entry"];
  unknown(sql: Prepare, id: string): RalphError;
  /** The command that shows it, and the one that explains it. */
  see(id: string): string;
  why(id: string): string;
  afterDamage(id: string): { hint: string; exitCode?: number };
}
