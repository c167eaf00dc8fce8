import type { ComponentChildren } from "preact";

interface TableProps {
  /** Read by screen readers only. */
  caption: string;
  /** Headings; those in `numbers` are aligned to the right. */
  columns: readonly string[];
  numbers?: readonly string[];
  /** A class for the table, as for the widths of its columns. */
  kind?: string;
  children: ComponentChildren;
}

/** A table with a heading for each column; on a phone it scrolls inside itself. */
export function Table({ caption, columns, numbers = [], kind = "", children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section class="table-box" tabIndex={0} aria-label={caption}>
      <table class={`table ${kind}`}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={numbers.includes(column) ? "number" : ""}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
