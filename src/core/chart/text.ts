import { element, escaped, type Point, plain } from "./svg.ts";

const WIDTHS: readonly [RegExp, number][] = [
  [/\p{M}/u, 0],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u, 1.05],
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{20000}-\u{3fffd}]/u, 1.4],
  [/[ .,:;'|!iljI()[\]]/, 0.36],
  [/[mwMW@%&—…]/, 1],
  [/[A-Z]/, 0.74],
  [/[\u0020-\u024f]/, 0.61],
];
/** Of what is not known: some scripts are wide. */
const WIDEST = 1.2;

/** How wide a text is at most, in so large a font of the usual sans-serif kind; fonts differ, so it is a little more. */
export function widthOf(text: string, size: number): number {
  let ems = 0;
  for (const sign of text) ems += WIDTHS.find(([pattern]) => pattern.test(sign))?.[1] ?? WIDEST;
  return ems * size;
}

/** The beginning of a text that is no wider than that, with a mark where it was cut. */
export function fitText(text: string, width: number, size: number): string {
  const clean = plain(text).trim();
  // What is far too long need not be measured to its end.
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
