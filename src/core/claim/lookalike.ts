import { characterName, INVISIBLE, plainOf, scriptOf } from "./character.ts";

/** The text of a tag for comparison: only white space is folded. */
export function tidy(text: string): string {
  // U+FEFF counts as white space in patterns, and is invisible.
  return text
    .normalize("NFC")
    .replace(/[^\S\ufeff]+/g, " ")
    .replace(/^ | $/g, "");
}

const fold = (text: string): string => text.toLowerCase();

/**
 * Why a text only looks like the expected one: invisible characters, or letters of another alphabet. Null if it does
 * not look like it, or is equal.
 */
export function looksLike(found: string, wanted: string): string | null {
  const [seen, asked] = [[...squeeze(found)], [...squeeze(wanted)]];
  const given = new Set(asked);
  const hidden = seen.filter((char) => INVISIBLE.test(char) && !given.has(char));
  const visible = seen.filter((char) => !hidden.includes(char));
  const swapped = swaps(visible, asked);
  if (!swapped || hidden.length + swapped.length === 0) return null;
  return [...new Set([...hidden.map(characterName), ...swapped])].slice(0, MOST_NAMED).join(", ");
}

const MOST_NAMED = 4;

/** White space folded without any normalisation, which would turn a Kelvin sign into a K. */
const squeeze = (text: string): string => text.replace(/[^\S\ufeff]+/g, " ").replace(/^ | $/g, "");

/** The letters that replace others, in words; null if the texts differ in more than such letters. */
function swaps(seen: readonly string[], asked: readonly string[]): string[] | null {
  if (seen.length !== asked.length) return reshaped(seen, asked);
  const found: string[] = [];
  let same = 0;
  for (const [i, char] of seen.entries()) {
    const wanted = asked[i] ?? "";
    if (fold(char) === fold(wanted) && !isForeignForm(char, wanted)) same++;
    else if (standsIn(char, wanted)) found.push(`${characterName(char)} in place of ${wanted}`);
    else return null;
  }
  // Without any equal letter only known look-alikes count; otherwise it is another word.
  const known = seen.every((char, i) => fold(plainOf(char)) === fold(asked[i] ?? ""));
  return same > 0 || known ? found : null;
}

/** Different letters may share a small form: the Kelvin sign is not a K. */
const isForeignForm = (char: string, wanted: string): boolean =>
  char !== wanted && char !== wanted.toLowerCase() && char !== wanted.toUpperCase() && char.normalize("NFC") !== char;

function standsIn(char: string, wanted: string): boolean {
  if (fold(plainOf(char)) === fold(plainOf(wanted))) return true;
  const [its, other] = [scriptOf(char), scriptOf(wanted)];
  return /\p{L}/u.test(char) && /\p{L}/u.test(wanted) && its !== other;
}

/** One character for several, such as a ligature. */
function reshaped(seen: readonly string[], asked: readonly string[]): string[] | null {
  const plain = (chars: readonly string[]) => fold(chars.map(plainOf).join(""));
  if (plain(seen) !== plain(asked)) return null;
  const odd = seen.filter((char) => plainOf(char) !== char && !asked.includes(char));
  return odd.map((char) => `${characterName(char)} in place of ${plainOf(char)}`);
}
