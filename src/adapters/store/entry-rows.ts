import { RalphError } from "../../core/errors.ts";
import { fieldOf } from "../../core/field.ts";
import { damageWords } from "../../core/journal-words.ts";
import { type Entry, isEventType, type LoopEvent } from "../../core/loop/events.ts";
import { reduce } from "../../core/loop/reduce.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { type KeptEvent, upcast } from "../../core/loop/upcast.ts";
import type { Damage } from "../../core/store.ts";
import { type Cell, cellOf } from "./cells.ts";

/** An entry as it stands in the database. */
export interface EntryRow {
  loop: Cell;
  seq: Cell;
  epoch: Cell;
  at_ms: Cell;
  event: Cell;
  hash: Cell;
}

export const entryRowOf = (row: Record<string, unknown>): EntryRow => ({
  loop: cellOf(row.loop),
  seq: cellOf(row.seq),
  epoch: cellOf(row.epoch),
  at_ms: cellOf(row.at_ms),
  event: cellOf(row.event),
  hash: cellOf(row.hash),
});

/** The event that a text holds, or why it holds none. */
export function eventIn(text: unknown): { event: LoopEvent } | { wrong: string } {
  if (typeof text !== "string") return { wrong: "it holds no text" };
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return { wrong: "its text is not JSON" };
  }
  const type = fieldOf(event, "type");
  if (!isEventType(type)) return { wrong: `its type is ${JSON.stringify(type) ?? "missing"}, which no journal has` };
  try {
    return { event: upcast(event as KeptEvent) };
  } catch {
    return { wrong: `it cannot be read as ${type}` };
  }
}

/** An entry for a reader who does not verify. Throws `journal-damaged` where there is nothing to read. */
export function entryOf(row: EntryRow): Entry {
  const loop = String(row.loop);
  const read = eventIn(row.event);
  const seq = Number(row.seq);
  if ("wrong" in read) throw damagedError(loop, { entry: seq, what: read.wrong });
  return { loop, seq, epoch: Number(row.epoch), atMs: Number(row.at_ms), event: read.event };
}

/** The state after one more entry, for a reader who does not verify. */
export function foldRow(state: LoopState, row: EntryRow): LoopState {
  const entry = entryOf(row);
  try {
    return reduce(state, entry);
  } catch {
    throw damagedError(entry.loop, { entry: entry.seq, what: unreadableEntry(entry) });
  }
}

export const unreadableEntry = ({ event }: Entry): string => `it cannot be read as ${event.type}`;

/** Nothing is done with a damaged journal but to show it. */
export const damagedError = (loop: string, damage: Damage): RalphError =>
  new RalphError("journal-damaged", damageWords(loop, damage), {
    hint: `\`ralph why ${loop}\` shows what can still be read; nothing goes on from it: start the work again with \`ralph run\`, or restore the state folder from a backup`,
  });
