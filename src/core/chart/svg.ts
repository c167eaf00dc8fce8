export interface Point {
  x: number;
  y: number;
}

export interface Drawing {
  width: number;
  height: number;
  draw(at: Point): string;
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element. Children are markup: text goes through `escaped` first. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(written(value))}"`);
  return children.length === 0
    ? `<${name}${list.join("")}/>`
    : `<${name}${list.join("")}>${children.join("")}</${name}>`;
}

const written = (value: string | number): string => (typeof value === "string" ? value : String(round(value)));
const round = (value: number): number => Math.round(value * 100) / 100;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in an element or an attribute of XML or HTML. */
export const escaped = (text: string): string => plain(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Not allowed in XML, able to turn the direction of what follows, or without any shape. */
const UNFIT =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]|[\ud800-\udfff]/gu;
const HEAPED = /(\p{M}{2})\p{M}+/gu;

/** One line of somebody else's words that can be drawn: no controls, no lone surrogates, no towers of accents. */
export const plain = (text: string): string => text.replace(/\s+/g, " ").replace(UNFIT, "").replace(HEAPED, "$1");

export function stacked(drawings: readonly Drawing[], gap: number): Drawing {
  const gaps = gap * Math.max(0, drawings.length - 1);
  return {
    width: Math.max(0, ...drawings.map(({ width }) => width)),
    height: drawings.reduce((sum, { height }) => sum + height, gaps),
    draw({ x, y }) {
      let top = y;
      return drawings
        .map((drawing) => {
          const drawn = drawing.draw({ x, y: top });
          top += drawing.height + gap;
          return drawn;
        })
        .join("\n");
    },
  };
}
