import { seriesLook } from "./picture.ts";
import { scaleTo } from "./scale.ts";
import { type Drawing, element, escaped, fitText, type Point, plain, textAt, widthOf } from "./svg.ts";

export interface Bar {
  name: string;
  about?: string;
  pieces: readonly { series: number; value: number }[];
}

interface BarsOptions {
  width: number;
  words(value: number): string;
  whole?: boolean;
}

const SIZE = 12;
const ROW = 24;
const THICK = 14;
const AXIS = 22;
const GAP = 12;
/** What labels may take also in a narrow chart. */
const LABELS = 210;

/** Horizontal bars, one below the other, so that names never overlap. */
export function barsOf(bars: readonly Bar[], { width, words, whole = false }: BarsOptions): Drawing {
  const sums = bars.map(({ pieces }) => pieces.reduce((sum, { value }) => sum + value, 0));
  const labels = labelColumns(bars, Math.max(width * 0.38, LABELS));
  const left = labels.name + labels.about + GAP;
  const values = Math.max(0, ...sums.map((sum) => widthOf(words(sum), SIZE)));
  const scale = scaleTo(Math.max(0, ...sums), width - left - values - GAP, { whole });
  const height = bars.length * ROW + AXIS;
  return {
    width,
    height,
    draw: ({ x, y }) => {
      const start = x + left;
      const marks = scale.marks.map((mark) => {
        const at = start + scale.at(mark);
        const line = element("line", { class: "grid", x1: at, x2: at, y1: y, y2: y + bars.length * ROW });
        return line + textAt({ x: at, y: y + height - 6 }, words(mark), { size: 11, look: "soft", anchor: "middle" });
      });
      const rows = bars.map((bar, i) =>
        rowAt({ x, y: y + i * ROW }, bar, { labels, start, scale, sum: words(sums[i] ?? 0) }),
      );
      return [...sparse(marks, scale.marks.map(words), scale.at(scale.end)), ...rows].join("\n");
    },
  };
}

/** Omits marks whose labels would overlap the previous one. */
function sparse(marks: readonly string[], words: readonly string[], length: number): string[] {
  const widest = Math.max(0, ...words.map((word) => widthOf(word, 11)));
  const every = Math.max(1, Math.ceil((widest + GAP) / (length / Math.max(1, marks.length - 1))));
  return marks.filter((_, i) => i % every === 0);
}

function labelColumns(bars: readonly Bar[], most: number) {
  const widest = (texts: readonly string[]): number =>
    Math.ceil(Math.max(0, ...texts.map((text) => widthOf(plain(text).slice(0, 200), SIZE))));
  const about = widest(bars.map((bar) => bar.about ?? ""));
  const name = Math.min(Math.floor(about === 0 ? most : most * 0.6), widest(bars.map((bar) => bar.name)));
  return about === 0 ? { name, about } : { name: name + GAP, about: Math.min(most - name - GAP, about) };
}

interface Row {
  labels: ReturnType<typeof labelColumns>;
  start: number;
  scale: ReturnType<typeof scaleTo>;
  sum: string;
}

function rowAt({ x, y }: Point, bar: Bar, { labels, start, scale, sum }: Row): string {
  const base = y + ROW / 2 + SIZE / 3;
  const name = fitText(bar.name, labels.about > 0 ? labels.name - GAP : labels.name, SIZE);
  const about = bar.about ? fitText(bar.about, labels.about, SIZE) : "";
  let from = start;
  const pieces = bar.pieces
    .filter(({ value }) => value > 0)
    .map(({ series, value }) => {
      // A minimum width, so that small values stay visible.
      const long = Math.max(scale.at(value), 0.75);
      const drawn = element("rect", {
        class: seriesLook(series),
        x: from,
        y: y + (ROW - THICK) / 2,
        width: long,
        height: THICK,
      });
      from += long;
      return drawn;
    });
  const whole = [bar.name, bar.about].filter(Boolean).join(" ").slice(0, 300);
  return element(
    "g",
    {},
    element("title", {}, escaped(`${whole}: ${sum}`)),
    textAt({ x, y: base }, name),
    ...(about ? [textAt({ x: x + labels.name, y: base }, about, { look: "soft" })] : []),
    ...pieces,
    textAt({ x: from + GAP / 2, y: base }, sum, { look: "soft" }),
  );
}
