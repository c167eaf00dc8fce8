import type { RalphError } from "../../core/errors.ts";
import type { Damage } from "../../core/store.ts";
import type { JournalTypes, Kind } from "../../core/subject.ts";
import type { StoredRow } from "./cells.ts";
import type { Prepare } from "./statements.ts";

/** Where reading a journal has got to. */
export interface Walked<T extends JournalTypes> {
  seq: number;
  epoch: number;
  atMs: number;
  state: T["state"];
  head: string;
  prev: string;
  first: string;
  chainedFrom: number | null;
  /** The version that drove it last; null where it was not written down. */
  version: string | null;
}

export interface Projection<T extends JournalTypes> {
  id: string;
  row: StoredRow;
  seq: number;
  epoch: number;
  head: string;
  /** Null: it stays who it was. */
  holder: string | null;
  entries: readonly T["entry"][];
  state: T["state"];
}

/** The rows of one kind of subject, which lists read: each follows from the journal of its subject. */
export interface Table<T extends JournalTypes> {
  kind: Kind<T>;
  /** The columns that only the journal changes, and that a driver finds changed by another hand. */
  sealed: readonly string[];
  /** The sealed columns and `seq`; null: there is no row. */
  row(sql: Prepare, id: string): StoredRow | null;
  /** Writes the row; returns its sealed columns, or null where it is not there as it was before. */
  project(sql: Prepare, change: Projection<T>): StoredRow | null;
  /** Writes the sealed columns back; null where a removed row is a removed subject. */
  putBack: ((sql: Prepare, row: StoredRow) => void) | null;
  /** What is wrong with a row beside the entries that it follows from. */
  damage(walked: Walked<T>, row: StoredRow): Damage | null;
  /** An entry as readers who do not verify see it, after those before it on its page; left out where it is as stored. */
  relabel?(sql: Prepare, entry: T["entry"], before: readonly T["entry"][]): T["entry"];
  unknown(sql: Prepare, id: string): RalphError;
  /** The command that shows it, and the one that explains it. */
  see(id: string): string;
  why(id: string): string;
  afterDamage(id: string): { hint: string; exitCode?: number };
}
