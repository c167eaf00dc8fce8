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

/** The same for all texts of a row. */
export const storable = <Row extends Record<string, Cell>>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? textCell(value) : value]),
  ) as Row;

/** A row of a database that any program of the user may have written into. */
export type StoredRow = Record<string, Cell>;

export const cellsOf = (row: Record<string, unknown>): StoredRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));

/** One text for these columns of a row. */
export const rowText = (columns: readonly string[], row: StoredRow): string =>
  JSON.stringify(columns.map((name) => row[name] ?? null));

/** The columns that a text of ours stands for. */
export function rowFrom(columns: readonly string[], text: string): StoredRow {
  const values = JSON.parse(text) as Cell[];
  return Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));
}
