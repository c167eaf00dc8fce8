import { closest } from "../../../core/edit-distance.ts";
import { type Options, RALPH_OPTIONS, type RalphOption, shown } from "./ralph-options.ts";
import { type TypedWord, type TypedWords, typedWords } from "./typed-words.ts";

interface Reading {
  typed: string;
  words: TypedWords;
  options: Options;
  prompt: TypedWord[];
  unknown: TypedWord[];
}

/** Splits the text after `/ralph` into options and the prompt, or returns a complaint. */
export function readTyped(typed: string): { options: Options; prompt: string } | { complaint: string } {
  const options: Options = { limits: {}, verify: [], scope: [], help: false };
  const words = typedWords(typed);
  const reading: Reading = { typed, words, options, prompt: [], unknown: [] };
  for (let word = words.next(0); word; ) {
    // After words of the prompt, it is a dash.
    if (word.text === "--" && !word.quoted && reading.prompt.length === 0)
      return { options, prompt: typed.slice(word.to).trim() };
    const taken: number | string = takeWord(reading, word);
    if (typeof taken === "string") return { complaint: taken };
    word = words.next(taken);
  }
  const complaint = options.help ? null : (unknownIn(reading) ?? unclosedIn(reading));
  return complaint === null ? { options, prompt: promptIn(reading) } : { complaint };
}

/** Reads a word, and its value if it is an option. Returns the position to continue at, or a complaint. */
function takeWord(reading: Reading, word: TypedWord): number | string {
  const option = optionOf(word);
  if (option) return takeOption(reading, option, word);
  (isFlagLike(word) ? reading.unknown : reading.prompt).push(word);
  return word.to;
}

/** Some keyboards replace two dashes by one long dash. */
const nameOf = ({ text }: TypedWord): string => text.replace(/^[–—]/, "--").split("=", 1)[0] ?? "";

const BY_NAME = new Map(RALPH_OPTIONS.flatMap((option) => option.names.map((name) => [name, option] as const)));

const optionOf = (word: TypedWord): RalphOption | undefined => (word.quoted ? undefined : BY_NAME.get(nameOf(word)));

const isFlagLike = ({ text, quoted }: TypedWord): boolean => !quoted && /^--[a-z]/i.test(text);

const isOptionLike = (word: TypedWord): boolean => isFlagLike(word) || optionOf(word) !== undefined;

function takeOption({ words, options, prompt }: Reading, option: RalphOption, word: TypedWord): number | string {
  const name = nameOf(word);
  if (option.value === "") {
    option.take("", options);
    return word.to;
  }
  const equals = word.text.indexOf("=");
  // Quotes after it may contain spaces, which ended the word too early.
  const value = equals === -1 ? words.next(word.to) : words.at(word.from + equals + 1);
  if (!value || (value.text === "" && !value.quoted) || (equals === -1 && isOptionLike(value)))
    return `${name}: expected a value, as in ${name} ${option.value}.`;
  if (value.unclosed) return `${name}: the quote before “${shown(value.text.slice(1))}” is never closed.`;
  const after = words.next(value.to);
  const goesOn = after !== null && !after.quoted && !isOptionLike(after);
  if (option.value.startsWith('"') && !value.quoted && goesOn && (equals === -1 || prompt.length > 0))
    return `${name}: where does its value end? Put it in quotes, as in ${name} "${shown(`${value.text} ${after.text}`)}".`;
  const expected = option.take(value.text, options);
  return expected === null ? value.to : `${name}: expected ${expected}, got “${shown(value.text)}”.`;
}

/** An unknown flag is refused, as it may be a misspelt limit; it may also be part of an unquoted task. */
function unknownIn({ unknown, prompt }: Reading): string | null {
  // Next to a quoted prompt, a word with one dash is an option too.
  const word =
    unknown[0] ?? (prompt[0]?.quoted ? prompt.find(({ text, quoted }) => !quoted && /^-[a-z]/i.test(text)) : undefined);
  if (!word) return null;
  const name = nameOf(word);
  const near = closest(name, NAMES);
  const meant = near === null ? "" : `, did you mean ${near}?`;
  const inTask = prompt.some(({ quoted }) => !quoted) || prompt.length === 0;
  const asText = inTask ? " If it is part of the task, put the whole task in quotes." : "";
  return `There is no option ${shown(name)}${meant || "."}${asText}`;
}

const NAMES = RALPH_OPTIONS.flatMap(({ names }) => names.filter((name) => name.startsWith("--")));

/** A quote at the start of a prompt must be closed, unless it may be an apostrophe. */
function unclosedIn({ prompt: [first] }: Reading): string | null {
  if (!first?.unclosed || first.text.startsWith("'")) return null;
  return `The quote before “${shown(first.text.slice(1))}” is never closed: close it where the prompt ends, or leave it out.`;
}

/** The text between the quotes; without quotes, everything except the options. */
function promptIn({ typed, prompt }: Reading): string {
  const [first, ...more] = prompt;
  if (!first) return "";
  if (first.quoted && more.length === 0) return first.text;
  let text = typed.slice(first.from, first.to);
  let end = first.to;
  for (const { from, to } of more) {
    const between = typed.slice(end, from);
    // A removed option leaves a space, or the line break that was there.
    const gap = between.trim() === "" ? between : between.includes("\n") ? "\n" : " ";
    text += gap + typed.slice(from, to);
    end = to;
  }
  return text;
}
