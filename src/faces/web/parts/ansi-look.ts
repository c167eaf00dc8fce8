/** How characters are drawn. Colours are the sixteen of terminals, so that every theme can have readable ones. */
export interface Look {
  fg: number | null;
  bg: number | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
}

export const DEFAULT_LOOK: Look = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

/** Concealed text (8) is shown: nothing an agent printed is hidden. */
const SWITCHES: Readonly<Record<number, Partial<Look>>> = {
  0: DEFAULT_LOOK,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { fg: null },
  49: { bg: null },
};

/** The look after a sequence `CSI … m`; the same object if nothing has changed. */
export function lookAfter(before: Look, codes: string): Look {
  let look = before;
  // `38:2::1:2:3` is one code with its own parts, `38;2;1;2;3` five codes.
  const parts = codes.split(";");
  for (let i = 0; i < parts.length; i++) {
    const sub = (parts[i] ?? "").split(":");
    const code = Number(sub[0] || 0);
    const isExtended = code === 38 || code === 48;
    const colour = isExtended && (sub.length > 1 ? colonColour(sub) : extended(parts.slice(i + 1)));
    look = { ...look, ...(colour ? toned(code, colour.colour) : simple(code, sub[1])) };
    if (colour) i += colour.used;
  }
  return look;
}

const toned = (code: number, colour: number | null): Partial<Look> =>
  colour === null ? {} : { [code === 38 ? "fg" : "bg"]: colour };

const simple = (code: number, kind: string | undefined): Partial<Look> =>
  code === 4 && kind === "0" ? { underline: false } : (SWITCHES[code] ?? basic(code));

function basic(code: number): Partial<Look> {
  if (code >= 30 && code <= 37) return { fg: code - 30 };
  if (code >= 90 && code <= 97) return { fg: code - 82 };
  if (code >= 40 && code <= 47) return { bg: code - 40 };
  if (code >= 100 && code <= 107) return { bg: code - 92 };
  return {};
}

interface Extended {
  colour: number | null;
  /** How many codes after the first belong to it. */
  used: number;
}

function extended([kind, ...codes]: readonly string[]): Extended {
  if (kind === "5") return { colour: indexed(Number(codes[0])), used: 2 };
  if (kind === "2") return { colour: nearest(codes.slice(0, 3).map(Number)), used: 4 };
  return { colour: null, used: 0 };
}

function colonColour([, kind, ...codes]: readonly string[]): Extended {
  if (kind === "5") return { colour: indexed(Number(codes[0])), used: 0 };
  // `2::r:g:b` names a colour space before the colour, `2:r:g:b` does not.
  return { colour: kind === "2" ? nearest(codes.slice(-3).map(Number)) : null, used: 0 };
}

/** One of the 256 colours: sixteen, a cube of six by six by six, and greys. */
function indexed(n: number): number | null {
  if (!Number.isInteger(n) || n < 0 || n > 255) return null;
  if (n < 16) return n;
  if (n >= 232) return nearest([8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10]);
  const level = (i: number) => (i === 0 ? 0 : 55 + i * 40);
  return nearest([level(Math.floor((n - 16) / 36)), level(Math.floor((n - 16) / 6) % 6), level((n - 16) % 6)]);
}

/** Hues from red on, each 60 degrees wide: red, yellow, green, cyan, blue, magenta. */
const HUES = [1, 3, 2, 6, 4, 5] as const;

/** By hue, because each theme has its own shades: a pale red stays red. */
function nearest(rgb: readonly number[]): number | null {
  if (rgb.length < 3 || rgb.some((one) => !Number.isInteger(one) || one < 0 || one > 255)) return null;
  const [r = 0, g = 0, b = 0] = rgb;
  const max = Math.max(r, g, b);
  const spread = max - Math.min(r, g, b);
  if (spread < 40) return [0, 8, 7, 15][Math.min(3, Math.floor(max / 64))] ?? 7;
  const turn = max === r ? (g - b) / spread : max === g ? 2 + (b - r) / spread : 4 + (r - g) / spread;
  const hue = HUES[(Math.round(turn) + 6) % 6] ?? 7;
  return max > 200 ? hue + 8 : hue;
}

/** `f1 b4 bold`: colours of text and background by number, and the rest by name. */
export function lookClasses({ fg, bg, inverse, ...rest }: Look): string {
  const classes: string[] = [];
  const [text, ground] = inverse ? [bg, fg] : [fg, bg];
  if (text !== null) classes.push(`f${text}`);
  if (ground !== null) classes.push(`b${ground}`);
  else if (inverse) classes.push("inverse");
  for (const name of ["bold", "dim", "italic", "underline", "strike"] as const) if (rest[name]) classes.push(name);
  return classes.join(" ");
}
