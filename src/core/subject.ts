import type { RalphError } from "./errors.ts";

/** Something that has a journal. */
export interface Subject {
  kind: "loop" | "task" | "run";
  id: string;
}

/** What another process can send a request to: a subject, or an execution, which has no journal of its own. */
export interface Addressee {
  kind: Subject["kind"] | "execution";
  id: string;
}

/** The name under which a subject's data is stored. The id of a loop contains no slash. */
export const subjectName = ({ kind, id }: Addressee): string => (kind === "loop" ? id : `${kind}/${id}`);

/** An entry of any journal. */
export interface Journalled<Event> {
  seq: number;
  /** Counts the drivers: every adoption raises it, which fences off the previous driver. */
  epoch: number;
  atMs: number;
  event: Event;
}

/** An entry with the states before and after it, so that readers need not fold. */
export interface JournalChange<T extends JournalTypes> {
  entry: T["entry"];
  before: T["state"];
  after: T["state"];
}

/** What a driver found that another process did to its journal. */
export interface Foreign {
  /** The first affected entry. */
  entry: number;
  /** In words, bounded. */
  found: string;
}

/** The types of one kind of journal. */
export interface JournalTypes {
  event: { type: string };
  state: unknown;
  entry: Journalled<{ type: string }>;
}

/** The differences between the journals of loops, tasks and runs; all other code is shared. */
export interface Kind<T extends JournalTypes> {
  name: Subject["kind"];
  start: T["state"];
  reduce(state: T["state"], entry: T["entry"]): T["state"];
  entryOf(id: string, at: Journalled<T["event"]>): T["entry"];
  /** The type of the first event, and of no other; null: any can be the first. */
  opening: T["event"]["type"] | null;
  /** The type of the event that raises the epoch. */
  adoption: T["event"]["type"];
  isEvent(type: unknown): type is T["event"]["type"];
  /** Converts an event of an earlier version to the current format. */
  upcast(event: T["event"]): T["event"];
  /** Whether the subject has ended. */
  isOver(state: T["state"]): boolean;
  /** Whether the entry answers the requests of other processes. */
  answers(entry: T["entry"]): boolean;
  /** Why an entry cannot follow; null: it can. */
  refusal(id: string, change: JournalChange<T>): RalphError | null;
  /** What a driver writes after it found foreign entries, from the entries it was about to write; null: it gives up. */
  afterForeign: ((pending: readonly T["entry"][], found: Foreign) => T["event"][]) | null;
  /** A state without the content of the first entry, which snapshots need not repeat. */
  withoutOpening(state: T["state"]): T["state"];
  withOpening(state: T["state"], first: T["entry"]): T["state"];
}

/** The epoch of an event that follows an entry of the epoch `before`. */
export const epochOf = (adoption: string, event: { type: string }, before: number): number =>
  event.type === adoption ? before + 1 : before;

/** Whether a value is the type of an event, from a table of all of them. */
export const isTypeIn =
  <Type extends string>(types: Readonly<Record<Type, true>>) =>
  (type: unknown): type is Type =>
    typeof type === "string" && Object.hasOwn(types, type);
