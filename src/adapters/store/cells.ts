import type { Prepare } from "./statements.ts";

/** A value from a database that any program of the user may have changed. */
export type Cell = string | number | null;

/** Reads a cell. Bytes, and numbers that JavaScript cannot represent, become texts that equal nothing Ralph wrote. */
export function cellOf(value: unknown): Cell {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : `${value}`;
  }
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** A text as a column returns it: a NUL would end it, and a lone surrogate would be changed. */
export const textCell = (text: string): string => text.replaceAll("\0", "\uFFFD").replace(/\p{Surrogate}/gu, "\uFFFD");

export const storable = <Row extends Record<string, Cell>>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? textCell(value) : value]),
  ) as Row;

export type StoredRow = Record<string, Cell>;

/** The row that a statement finds for an id; null if there is none. */
export function rowAt(statement: ReturnType<Prepare>, id: string): StoredRow | null {
  const found = statement.get({ id });
  return found ? cellsOf(found) : null;
}

export const cellsOf = (row: Record<string, unknown>): StoredRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));

export const rowText = (columns: readonly string[], row: StoredRow): string =>
  JSON.stringify(columns.map((name) => row[name] ?? null));

/** The columns in a text made by `rowText`. */
export function rowFrom(columns: readonly string[], text: string): StoredRow {
  const values = JSON.parse(text) as Cell[];
  return Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));
}
