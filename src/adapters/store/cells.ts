import type { Prepare } from "./statements.ts";

/** A value of a database that any program of the user may have written into. */
export type Cell = string | number | null;

/** What a row holds. A number that JavaScript cannot hold, and bytes, become texts: nothing of ours equals them. */
export function cellOf(value: unknown): Cell {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : `${value}`;
  }
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** A text as a column gives it back: a NUL would end it, and half a character would become something else. */
export const textCell = (text: string): string => text.replaceAll("\0", "\uFFFD").replace(/\p{Surrogate}/gu, "\uFFFD");

export const storable = <Row extends Record<string, Cell>>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? textCell(value) : value]),
  ) as Row;

export type StoredRow = Record<string, Cell>;

/** The row that a statement finds for an id; null: none. */
export function rowAt(statement: ReturnType<Prepare>, id: string): StoredRow | null {
  const found = statement.get({ id });
  return found ? cellsOf(found) : null;
}

export const cellsOf = (row: Record<string, unknown>): StoredRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));

export const rowText = (columns: readonly string[], row: StoredRow): string =>
  JSON.stringify(columns.map((name) => row[name] ?? null));

/** The columns that a text of ours stands for. */
export function rowFrom(columns: readonly string[], text: string): StoredRow {
  const values = JSON.parse(text) as Cell[];
  return Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));
}
