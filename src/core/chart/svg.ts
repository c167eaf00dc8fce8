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

/** Text escaped for an element or an attribute of XML or HTML. */
export const escaped = (text: string): string => plain(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Characters that are not allowed in XML, change the text direction, or are invisible. */
const UNFIT =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]|[\ud800-\udfff]/gu;
const HEAPED = /(\p{M}{2})\p{M}+/gu;

/** One line of untrusted text that can be drawn: no controls, no lone surrogates, no stacked accents. */
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

const WIDTHS: readonly [RegExp, number][] = [
  [/\p{M}/u, 0],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u, 1.05],
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{20000}-\u{3fffd}]/u, 1.4],
  [/[ .,:;'|!iljI()[\]]/, 0.36],
  [/[mwMW@%&—…]/, 1],
  [/[A-Z]/, 0.74],
  [/[\u0020-\u024f]/, 0.61],
];
/** The width of unknown characters: some scripts are wide. */
const WIDEST = 1.2;

/** The maximum width of a text in a sans-serif font of this size, with a margin because fonts differ. */
export function widthOf(text: string, size: number): number {
  let ems = 0;
  for (const sign of text) ems += WIDTHS.find(([pattern]) => pattern.test(sign))?.[1] ?? WIDEST;
  return ems * size;
}

/** The text cut to a width, with a mark where it was cut. */
export function fitText(text: string, width: number, size: number): string {
  const clean = plain(text).trim();
  // A text that is far too long need not be measured to its end.
  const signs = [...clean.slice(0, 1_000)];
  if (clean.length <= 1_000 && widthOf(clean, size) <= width) return clean;
  let left = width - widthOf("…", size);
  let kept = "";
  for (const sign of signs) {
    left -= widthOf(sign, size);
    if (left < 0) break;
    kept += sign;
  }
  return kept === "" && width < size ? "" : `${kept.trimEnd()}…`;
}

/** The text on up to two lines of a width, the second one cut if need be. */
export function wrapText(text: string, width: number, size: number): string[] {
  const words = plain(text).trim().slice(0, 1_000).split(" ");
  let first = "";
  while (words[0] !== undefined && widthOf(`${first} ${words[0]}`, size) <= width) {
    first = `${first} ${words.shift()}`.trimStart();
  }
  const rest = words.join(" ");
  return first === "" ? [fitText(rest, width, size)] : [first, ...(rest ? [fitText(rest, width, size)] : [])];
}

interface TextStyle {
  size?: number;
  look?: string;
  anchor?: "start" | "middle" | "end";
}

export function textAt(
  { x, y }: Point,
  text: string,
  { size = 12, look = "", anchor = "start" }: TextStyle = {},
): string {
  const looks = look ? { class: look } : {};
  return element("text", { x, y, "font-size": size, "text-anchor": anchor, ...looks }, escaped(text));
}
