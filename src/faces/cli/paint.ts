const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  magenta: [35, 39],
} as const;

const { NO_COLOR, TERM } = process.env;
const coloured = Boolean(process.stderr.isTTY && process.stdout.isTTY && !NO_COLOR && TERM !== "dumb");

/** Colour on a terminal that understands it, plain text anywhere else and where NO_COLOR is set. */
export function paint(colour: keyof typeof CODES, text: string): string {
  const [on, off] = CODES[colour];
  return coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
