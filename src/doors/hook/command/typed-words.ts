/** A typed word. Quotes around it are not part of its text. */
export interface TypedWord {
  /** Its position in the typed text, including quotes. */
  from: number;
  to: number;
  text: string;
  quoted: boolean;
  /** Whether it starts with a quote that is never closed, and is then part of the text. */
  unclosed: boolean;
}

const CLOSING: Record<string, string> = { '"': '"', "'": "'", "“": "”", "‘": "’" };

export interface TypedWords {
  /** The next word from a position on; null if there is none. */
  next(at: number): TypedWord | null;
  at(from: number): TypedWord;
}

/**
 * A quote opens only at the start of a word and closes only at its end, so the apostrophe of `don't` does neither. A
 * backslash escapes a quote or another backslash; before anything else it is a plain character.
 */
export function typedWords(typed: string): TypedWords {
  /** Kinds of quotes that are not closed after some position, so that the search is not repeated. */
  const unclosed = new Set<string>();
  const inQuotes = (from: number, close: string) => {
    const found = unclosed.has(close) ? null : quotedAt(typed, from, close);
    if (!found) unclosed.add(close);
    return found;
  };
  const at = (from: number): TypedWord => {
    const close = CLOSING[typed[from] ?? ""];
    const quoted = close === undefined ? null : inQuotes(from, close);
    if (quoted) return { from, ...quoted, quoted: true, unclosed: false };
    let to = from;
    while (to < typed.length && !isSpace(typed[to])) to++;
    return { from, to, text: typed.slice(from, to), quoted: false, unclosed: close !== undefined };
  };
  return {
    at,
    next(start) {
      let from = start;
      while (isSpace(typed[from])) from++;
      return from < typed.length ? at(from) : null;
    },
  };
}

function quotedAt(typed: string, from: number, close: string): { to: number; text: string } | null {
  const open = typed[from];
  let text = "";
  for (let at = from + 1; at < typed.length; at++) {
    const letter = typed[at] ?? "";
    const next = typed[at + 1];
    if (letter === "\\" && (next === close || next === open || next === "\\")) {
      text += next;
      at++;
    } else if (letter === close && endsWord(next)) return { to: at + 1, text };
    else text += letter;
  }
  return null;
}

const isSpace = (letter: string | undefined): boolean => letter !== undefined && /\s/.test(letter);

const endsWord = (next: string | undefined): boolean => next === undefined || /[\s.,;:!?)\]]/.test(next);
