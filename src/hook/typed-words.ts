/** A word that somebody typed: bare, or in quotes, which are then not part of its text. */
export interface TypedWord {
  /** Where it stands in what was typed, quotes and all. */
  from: number;
  to: number;
  text: string;
  quoted: boolean;
  /** Whether it begins with a quote that nothing closes: that is a letter like any other. */
  unclosed: boolean;
}

const CLOSING: Record<string, string> = { '"': '"', "'": "'", "“": "”", "‘": "’" };

/**
 * The next word from there on; null: there is none. A quote opens where a word begins, so that the apostrophe of
 * `don't` opens nothing, and closes where a word ends, so that it closes nothing either. A backslash before a quote, or
 * before a backslash, takes its meaning away; before anything else it is itself.
 */
export function nextWord(typed: string, at: number): TypedWord | null {
  let from = at;
  while (isSpace(typed[from])) from++;
  return from < typed.length ? wordAt(typed, from) : null;
}

/** The word that begins there. */
export function wordAt(typed: string, from: number): TypedWord {
  const quote = typed[from] ?? "";
  const close = CLOSING[quote];
  const quoted = close === undefined ? null : quotedAt(typed, from, close);
  if (quoted) return { from, ...quoted, quoted: true, unclosed: false };
  let to = from;
  while (to < typed.length && !isSpace(typed[to])) to++;
  return { from, to, text: typed.slice(from, to), quoted: false, unclosed: close !== undefined };
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
