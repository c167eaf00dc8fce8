import { seriesLook } from "./picture.ts";
import { type Drawing, element, fitText, textAt, widthOf, wrapText } from "./svg.ts";

/** A title, and below it what there is to say about it, on up to two lines. */
export function heading(title: string, about: string, width: number): Drawing {
  const lines = about ? wrapText(about, width, 12) : [];
  return {
    width,
    height: lines.length > 0 ? 28 + 16 * lines.length : 26,
    draw: ({ x, y }) =>
      [
        textAt({ x, y: y + 15 }, fitText(title, width, 16), { size: 16, look: "bold" }),
        ...lines.map((line, i) => textAt({ x, y: y + 34 + 16 * i }, line, { look: "soft" })),
      ].join("\n"),
  };
}

const TILE = 62;
const BETWEEN = 10;

export function tilesOf(tiles: readonly { value: string; name: string }[], width: number, inRow = 6): Drawing {
  const wide = (width - BETWEEN * (inRow - 1)) / inRow;
  const rows = Math.ceil(tiles.length / inRow);
  return {
    width,
    height: rows * TILE + Math.max(0, rows - 1) * BETWEEN,
    draw: ({ x, y }) =>
      tiles
        .map(({ value, name }, i) => {
          const left = x + (i % inRow) * (wide + BETWEEN);
          const top = y + Math.floor(i / inRow) * (TILE + BETWEEN);
          return [
            element("rect", { class: "card", x: left, y: top, width: wide, height: TILE, rx: 8 }),
            textAt({ x: left + 12, y: top + 29 }, fitText(value, wide - 24, 20), { size: 20, look: "bold" }),
            textAt({ x: left + 12, y: top + 48 }, fitText(name, wide - 24, 11), { size: 11, look: "soft" }),
          ].join("\n");
        })
        .join("\n"),
  };
}

export function legendOf(entries: readonly { name: string; series: number }[], width: number): Drawing {
  return {
    width,
    height: 24,
    draw: ({ x, y }) => {
      let left = x;
      return entries
        .map(({ name, series }) => {
          const at = left;
          left += 17 + widthOf(name, 12) + 14;
          const box = element("rect", { class: seriesLook(series), x: at, y: y + 4, width: 11, height: 11, rx: 2 });
          return box + textAt({ x: at + 17, y: y + 14 }, name, { look: "soft" });
        })
        .join("\n");
    },
  };
}

export function emptyBox(words: string, width: number, height = 72): Drawing {
  return {
    width,
    height,
    draw: ({ x, y }) =>
      [
        element("rect", { class: "none", x, y, width, height, rx: 8, "stroke-dasharray": "4 4" }),
        textAt({ x: x + width / 2, y: y + height / 2 + 4 }, fitText(words, width - 24, 12), {
          look: "soft",
          anchor: "middle",
        }),
      ].join("\n"),
  };
}

export function gridOf(drawings: readonly Drawing[], inRow: number, gap: number): Drawing {
  const wide = Math.max(0, ...drawings.map(({ width }) => width));
  const high = Math.max(0, ...drawings.map(({ height }) => height));
  const rows = Math.ceil(drawings.length / inRow);
  return {
    width: inRow * wide + (inRow - 1) * gap,
    height: rows * high + Math.max(0, rows - 1) * gap,
    draw: ({ x, y }) =>
      drawings
        .map((drawing, i) =>
          drawing.draw({ x: x + (i % inRow) * (wide + gap), y: y + Math.floor(i / inRow) * (high + gap) }),
        )
        .join("\n"),
  };
}
