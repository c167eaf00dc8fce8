import { seriesLook } from "./picture.ts";
import { scaleTo } from "./scale.ts";
import { type Drawing, element, escaped, fitText, type Point, textAt, widthOf } from "./svg.ts";

interface Column {
  name: string;
  value: number;
}

interface ColumnsOptions {
  width: number;
  height: number;
  series: number;
  /** The label of a value; empty if it needs none. */
  words(value: number): string;
  whole?: boolean;
}

const SIZE = 10;
const BELOW = 18;
const ABOVE = 14;
const WIDEST = 46;

/** Columns side by side on one base line. Each shows its value if there is space; otherwise there is a scale. */
export function columnChart(columns: readonly Column[], options: ColumnsOptions): Drawing {
  const { width, height, words, whole = false } = options;
  const tall = height - ABOVE - BELOW;
  const most = Math.max(0, ...columns.map(({ value }) => value));
  const scale = scaleTo(most, tall, { whole, marks: 3 });
  const values = columns.map(({ value }) => words(value));
  const valued = every(values, width / Math.max(1, columns.length)) === 1;
  const left = valued ? 0 : Math.max(...scale.marks.map((mark) => widthOf(words(mark), SIZE))) + 6;
  // Without a scale the largest column can fill the space.
  const highOf = (value: number): number => (valued ? (tall * value) / Math.max(most, 1e-9) : scale.at(value));
  const slot = (width - left) / Math.max(1, columns.length);
  const named = every(
    columns.map(({ name }) => name),
    slot,
  );
  return {
    width,
    height,
    draw: ({ x, y }) => {
      const base = y + ABOVE + tall;
      const drawn = columns.map((column, i) => {
        const shown = { name: i % named === 0, value: valued, slot, series: options.series };
        return columnAt({ x: x + left + i * slot, y: base }, column, { ...shown, high: highOf(column.value), words });
      });
      const marks = valued
        ? []
        : scale.marks.map((mark) => markAt({ x, y: base - scale.at(mark) }, words(mark), { left, width }));
      const axis = element("line", { class: "axis", x1: x + left, x2: x + width, y1: base, y2: base });
      return [...marks, ...drawn, axis].join("\n");
    },
  };
}

function markAt({ x, y }: Point, words: string, { left, width }: { left: number; width: number }): string {
  const line = element("line", { class: "grid", x1: x + left, x2: x + width, y1: y, y2: y });
  return line + textAt({ x: x + left - 6, y: y + 3 }, words, { size: SIZE, look: "soft", anchor: "end" });
}

/** Labels that would overlap are omitted: only every n-th stays. */
function every(words: readonly string[], slot: number): number {
  const widest = Math.max(0, ...words.map((word) => widthOf(word, SIZE)));
  return Math.max(1, Math.ceil((widest + 2) / slot));
}

interface Shown {
  name: boolean;
  value: boolean;
  slot: number;
  high: number;
  series: number;
  words(value: number): string;
}

function columnAt({ x, y }: Point, { name, value }: Column, { slot, high, series, words, ...shown }: Shown): string {
  const thick = Math.min(slot * 0.78, WIDEST);
  const middle = x + slot / 2;
  const tall = value > 0 ? Math.max(high, 1) : 0;
  const centred = (text: string, at: number) =>
    textAt({ x: middle, y: at }, text, { size: SIZE, look: "soft", anchor: "middle" });
  return element(
    "g",
    {},
    element("title", {}, escaped(`${name}: ${words(value) || value}`)),
    element("rect", { class: seriesLook(series), x: middle - thick / 2, y: y - tall, width: thick, height: tall }),
    ...(shown.value && value > 0 ? [centred(words(value), y - tall - 4)] : []),
    ...(shown.name ? [nameBelow(name, { middle, y, slot })] : []),
  );
}

/** The name of a single narrow column may be wider than its slot, but not wider than the rest of the picture. */
function nameBelow(name: string, { middle, y, slot }: { middle: number; y: number; slot: number }): string {
  const text = fitText(name, Math.max(slot, 60), SIZE);
  return textAt({ x: middle, y: y + 13 }, text, { size: SIZE, look: "soft", anchor: "middle" });
}
