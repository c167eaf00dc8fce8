interface Reading {
  /** Whether values that name a variable, such as `$TOKEN`, are left. */
  variables: boolean;
  /** The value of a flag may be an item of a list. */
  isFlag: boolean;
  /** A cookie has several parts. */
  isCookie: boolean;
}

interface Value {
  start: number;
  end: number;
}

/** Where a value ends, so that what begins like a word without meaning is not one. */
const END = String.raw`(?=[\s"'\`,;:)\]}|&?\\]|$)`;
/** Types and words of documents. */
const PLAIN = new RegExp(
  `(?:true|false|null|undefined|none|string|number|boolean|unknown|never|void|required|optional|<[a-z][a-z _-]{0,40}>)${END}`,
  "iy",
);
const SECRET_NAME = String.raw`\w{0,40}(?:[Tt]oken|[Ss]ecret|[Pp]assw(?:or)?d|[Pp]assphrase|(?:[Aa]pi|[Aa]ccess|[Ss]ecret)_?[Kk]ey|_pass|_pwd|[Cc]redentials?|[Cc]ookie)`;
/** In small letters, a variable is one if it is named like a secret: others may be passwords. */
const VARIABLE = new RegExp(
  String.raw`\$(?:[A-Z_][A-Z0-9_]*|${SECRET_NAME}|\{\w+\}|\{\{ ?[\w.]{1,100} ?\}\}|[0-9@*#?])${END}|\$\(`,
  "y",
);
const SCHEME = /(?:bearer|basic|token|digest|negotiate|apikey|bot)[ \t]{1,20}(?=\S)/iy;
const OPENER = /(\\{0,8})("""|'''|["'`])/y;
const JSON_OPENER = /[[{]\s{0,40}\\{0,8}["']/y;
const MOST_JSON = 4_096;
/** Backslashes before a quote belong to the quote. */
const WORD = /(?:[^\s"'\\]|\\(?!\\{0,8}["']))+/y;
const FLAG_WORD = /(?:[^\s"'\],\\]|\\(?!\\{0,8}["']))+/y;
const COOKIE = /(?:[^\s"';\\]|\\(?!\\{0,8}["']))+(?:;[ \t]{0,9}[^\s"';\\]+)*/y;

/** The value that begins there; null if it is not secret. Reads no character twice once it has been taken. */
export function valueAt(text: string, from: number, reading: Reading): Value | null {
  const at = after(SCHEME, text, from) ?? from;
  const opened = after(OPENER, text, at);
  if (opened !== null) return quoted(text, at, opened, reading);
  if (isPlain(text, at, reading)) return null;
  const inJson = after(JSON_OPENER, text, at);
  if (inJson !== null) return { start: at, end: endOfJson(text, at, inJson) };
  const end = after(reading.isCookie ? COOKIE : reading.isFlag ? FLAG_WORD : WORD, text, at);
  return end === null ? null : { start: at, end };
}

/** Up to the same quote, which may be escaped; without one, to the end of the line. */
function quoted(text: string, from: number, opened: number, reading: Reading): Value | null {
  const start = after(SCHEME, text, opened) ?? opened;
  const opener = text.slice(from, opened);
  const quote = opener.replace(/^\\*/, "");
  const escapes = opener.length - quote.length;
  const end = closingQuote(text, opened, quote, escapes) ?? endOfLine(text, opened);
  if (end <= start) return null;
  // All that is quoted must be plain: a phrase may begin with such a word.
  return isOpenValue(text.slice(start, end), reading) ? null : { start, end };
}

/** A quote with more backslashes than the first one is part of the value, and so is one that is doubled. */
function closingQuote(text: string, opened: number, quote: string, escapes: number): number | null {
  const isLong = quote.length > 1;
  for (let at = text.indexOf(quote, opened); at !== -1; at = text.indexOf(quote, at + 1)) {
    const backslashes = backslashesBefore(text, at, opened);
    if (backslashes > escapes) continue;
    const isDoubled = !isLong && escapes === 0 && at > opened && text[at + 1] === quote;
    if (!isDoubled) return isLong || !text.slice(opened, at).includes("\n") ? at - backslashes : null;
    at++;
  }
  return null;
}

function backslashesBefore(text: string, at: number, least: number): number {
  let from = at;
  while (from > least && text[from - 1] === "\\") from--;
  return at - from;
}

/** The matching bracket; a long value, or one that was cut off, ends where it is no longer looked for. */
function endOfJson(text: string, from: number, opened: number): number {
  const quote = text[opened - 1];
  const escapes = backslashesBefore(text, opened - 1, from);
  const most = Math.min(text.length, from + MOST_JSON);
  let depth = 0;
  let inString = false;
  for (let at = from; at < most; at++) {
    const character = text[at] ?? "";
    if (character === quote && backslashesBefore(text, at, from) <= escapes) inString = !inString;
    if (inString) continue;
    if ("[{".includes(character)) depth++;
    if ("]}".includes(character) && --depth === 0) return at + 1;
  }
  return most;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

const isPlain = (text: string, at: number, { variables }: Reading): boolean =>
  after(PLAIN, text, at) !== null || (variables && after(VARIABLE, text, at) !== null);

/** Where the match of a sticky pattern ends. */
function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Whether all of a value names a variable, is made by a command, or says nothing, so that it is not secret. */
export function isOpenValue(value: string, { variables }: Pick<Reading, "variables">): boolean {
  const patterns = variables ? [PLAIN, VARIABLE] : [PLAIN];
  return (variables && value.startsWith("$(")) || patterns.some((pattern) => after(pattern, value, 0) === value.length);
}
