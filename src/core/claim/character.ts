/** An invisible character: formatting (category Cf), variation selectors, fillers. White space does not count. */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

const INVISIBLE_NAMES: Readonly<Record<string, string>> = {
  "\u00ad": "soft hyphen",
  "\u034f": "combining grapheme joiner",
  "\u061c": "Arabic letter mark",
  "\u180e": "Mongolian vowel separator",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "pop directional formatting",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2060": "word joiner",
  "\u3164": "Hangul filler",
  "\ufe0e": "variation selector 15",
  "\ufe0f": "variation selector 16",
  "\ufeff": "zero-width no-break space",
};

/** Letters of the two scripts that look most like Latin ones: the letter, what it looks like, its Unicode name. */
const LETTERS = `CYRILLIC А A A,В B VE,Е E IE,Ѕ S DZE,І I BYELORUSSIAN-UKRAINIAN_I,Ј J JE,К K KA,М M EM,Н H EN,О O O,Р P ER,С C ES,Т T TE,
У Y U,Х X HA,Ү Y STRAIGHT_U,Ԁ D KOMI_DE,Ԛ Q QA,Ԝ W WE,Ѵ V IZHITSA,Һ H SHHA,Ԍ G KOMI_SJE,Ӏ I PALOCHKA,З 3 ZE,Ь b SOFT_SIGN
GREEK Α A ALPHA,Β B BETA,Ε E EPSILON,Ζ Z ZETA,Η H ETA,Ι I IOTA,Κ K KAPPA,Μ M MU,Ν N NU,Ο O OMICRON,Ρ P RHO,Τ T TAU,Υ Y UPSILON,
Χ X CHI,ϲ c LUNATE_SIGMA_SYMBOL,ϳ j YOT`;

interface Letter {
  like: string;
  name: string;
}

function lettersOf(table: string): ReadonlyMap<string, Letter> {
  const letters = new Map<string, Letter>();
  for (const row of table.replaceAll(",\n", ",").split("\n")) {
    const script = row.slice(0, row.indexOf(" "));
    for (const entry of row.slice(script.length + 1).split(",")) {
      const [letter = "", like = "", name = ""] = entry.split(" ");
      const called = name.replaceAll("_", " ");
      letters.set(letter, { like, name: `${script} CAPITAL LETTER ${called}` });
      letters.set(letter.toLowerCase(), { like: like.toLowerCase(), name: `${script} SMALL LETTER ${called}` });
    }
  }
  // Its small letters resemble other letters than the small Latin ones do.
  for (const [letter, like] of [..."ν=v,η=n,υ=u,ρ=p,χ=x,ω=w,γ=y,σ=o,п=n,г=r,ѡ=w".split(",")].map((pair) =>
    pair.split("="),
  ))
    letters.set(letter ?? "", { like: like ?? "", name: letters.get(letter ?? "")?.name ?? "" });
  return letters;
}

const KNOWN = lettersOf(LETTERS);

const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Cherokee",
  "Coptic",
  "Lisu",
  "Georgian",
  "Hebrew",
  "Arabic",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);

/** The script of a letter; "" if it has none, or one that is not known here. */
export const scriptOf = (char: string): string => SCRIPTS.find(([, script]) => script.test(char))?.[0] ?? "";

const codeOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The plain character that this one looks like; itself if it looks like no other. */
export const plainOf = (char: string): string => KNOWN.get(char)?.like ?? char.normalize("NFKC");

/** A character in a form that can be looked up: "U+041E CYRILLIC CAPITAL LETTER O", "zero-width space U+200B". */
export function characterName(char: string): string {
  const code = codeOf(char);
  if (INVISIBLE.test(char)) return `${INVISIBLE_NAMES[char] ?? "invisible character"} ${code}`;
  return [code, unicodeName(char)].filter(Boolean).join(" ");
}

function unicodeName(char: string): string {
  const known = KNOWN.get(char)?.name;
  if (known) return known;
  const plain = char.normalize("NFKC");
  const latin = /^[a-z]$/i.test(plain)
    ? `LATIN ${plain === plain.toUpperCase() ? "CAPITAL" : "SMALL"} LETTER ${plain.toUpperCase()}`
    : "";
  if (char === plain) return latin || scriptWords(char);
  return /[\uff01-\uff5e]/.test(char) && latin ? `FULLWIDTH ${latin}` : scriptWords(char);
}

const scriptWords = (char: string): string => {
  const script = scriptOf(char);
  return script === "" ? "" : `(${script} letter)`;
};
