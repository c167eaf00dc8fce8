import { RalphError } from "../../core/errors.ts";
import { fieldOf } from "../../core/field.ts";
import { damageWords } from "../../core/journal-words.ts";
import type { Damage } from "../../core/journals.ts";
import type { JournalTypes, Kind } from "../../core/subject.ts";
import { type Cell, cellOf } from "./cells.ts";
import type { Table } from "./table.ts";

export type EntryRow = Record<"subject" | "seq" | "epoch" | "at_ms" | "event" | "hash", Cell>;

export const entryRowOf = (row: Record<string, unknown>): EntryRow => ({
  subject: cellOf(row.subject),
  seq: cellOf(row.seq),
  epoch: cellOf(row.epoch),
  at_ms: cellOf(row.at_ms),
  event: cellOf(row.event),
  hash: cellOf(row.hash),
});

/** The event in a text, or why it cannot be read. */
export function eventIn<T extends JournalTypes>(
  { isEvent, upcast }: Kind<T>,
  text: unknown,
): { event: T["event"] } | { wrong: string } {
  if (typeof text !== "string") return { wrong: "it is not a text" };
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return { wrong: "its text is not JSON" };
  }
  const type = fieldOf(event, "type");
  if (!isEvent(type)) return { wrong: `its type is ${JSON.stringify(type) ?? "missing"}, which is unknown` };
  try {
    return { event: upcast(event as T["event"]) };
  } catch {
    return { wrong: `it cannot be read as ${type}` };
  }
}

/** An entry for a reader that does not verify. Throws `journal-damaged` if it cannot be read. */
export function entryOf<T extends JournalTypes>(table: Table<T>, id: string, row: EntryRow): T["entry"] {
  const read = eventIn(table.kind, row.event);
  const seq = Number(row.seq);
  if ("wrong" in read) throw damagedError(table, id, { entry: seq, what: read.wrong });
  return table.kind.entryOf(id, { seq, epoch: Number(row.epoch), atMs: Number(row.at_ms), event: read.event });
}

export function foldRow<T extends JournalTypes>(
  table: Table<T>,
  state: T["state"],
  { id, row }: { id: string; row: EntryRow },
): T["state"] {
  const entry = entryOf(table, id, row);
  try {
    return table.kind.reduce(state, entry);
  } catch {
    throw damagedError(table, id, { entry: entry.seq, what: unreadable(entry.event) });
  }
}

export const unreadable = ({ type }: { type: string }): string => `it cannot be read as ${type}`;

/** A damaged journal can only be shown. */
export const damagedError = <T extends JournalTypes>(
  { kind, afterDamage }: Pick<Table<T>, "kind" | "afterDamage">,
  id: string,
  damage: Damage,
): RalphError => new RalphError("journal-damaged", damageWords(kind.name, id, damage), afterDamage(id));
