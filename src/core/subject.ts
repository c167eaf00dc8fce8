import type { RalphError } from "./errors.ts";

/** What has a journal. */
export interface Subject {
  kind: "loop" | "task" | "run";
  id: string;
}

/** The name under which everything about a subject is kept. The id of a loop contains no slash. */
export const subjectName = ({ kind, id }: Subject): string => (kind === "loop" ? id : `${kind}/${id}`);

/** An entry of any journal. */
export interface Journalled<Event> {
  seq: number;
  /** Counts the drivers: every adoption raises it, which fences off the driver before. */
  epoch: number;
  atMs: number;
  event: Event;
}

/** An entry with the states before and after it, so that its readers fold nothing themselves. */
export interface JournalChange<T extends JournalTypes> {
  entry: T["entry"];
  before: T["state"];
  after: T["state"];
}

/** What a driver found that another process had done to its journal. */
export interface Foreign {
  /** The first entry concerned. */
  entry: number;
  /** In words, bounded. */
  found: string;
}

/** The types of the journals of one kind. */
export interface JournalTypes {
  event: { type: string };
  state: unknown;
  entry: Journalled<{ type: string }>;
}

/** What distinguishes the journals of loops, tasks and runs from each other; everything else about them exists once. */
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
  /** An event of an earlier version as it would be written today. */
  upcast(event: T["event"]): T["event"];
  /** Whether the subject has come to its end. */
  isOver(state: T["state"]): boolean;
  /** Whether the entry answers the requests of other processes. */
  answers(entry: T["entry"]): boolean;
  /** Why an entry cannot follow; null: it can. */
  refusal(id: string, change: JournalChange<T>): RalphError | null;
  /** What a driver writes after it found foreign entries, given what it was about to write; null: it gives up. */
  afterForeign: ((pending: readonly T["entry"][], found: Foreign) => T["event"][]) | null;
  /** A state without what the first entry has and snapshots need not repeat. */
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
