import type { Tone } from "../../core/view/tones.ts";

/** Only colours that every terminal has, whatever its background. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  magenta: [35, 39],
} as const;

export type Paint = keyof typeof CODES;

/** A text in a colour. It is removed where no colours are shown. */
export function paint(colour: Paint, text: string): string {
  const [on, off] = CODES[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

const OF_TONE: Readonly<Record<Tone, Paint | null>> = {
  plain: null,
  active: "cyan",
  good: "green",
  warn: "yellow",
  bad: "red",
  dim: "dim",
};

/** A text as the view emphasises it. */
export function paintTone(tone: Tone, text: string): string {
  const colour = OF_TONE[tone];
  return colour ? paint(colour, text) : text;
}

const SGR = /\u001b\[([\d;:]*)m/g;
/** Bold, dim, underlined and inverse, and their ends. */
const STYLES = new Set(["", "0", "1", "2", "4", "7", "22", "24", "27"]);

/** The text without its colours; emphasis stays, so that a selection is visible. */
export const withoutColours = (text: string): string =>
  text.replace(SGR, (code, parameters: string) => (STYLES.has(parameters) ? code : ""));
