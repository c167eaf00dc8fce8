/** A source text twice, with the same length: without comments, and also without the content of strings. */
export interface Masked {
  text: string;
  code: string;
}

const DOUBLE = /"(?:\\.|[^"\\\n])*"/;
const SINGLE = /'(?:\\.|[^'\\\n])*'/;
const SLASHES = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const TRIPLE = /"""[\s\S]*?"""|'''[\s\S]*?'''/;
const REGEX = /(?<=[(,=:[!&|?{};+\n]\s{0,20})\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/;

const anyOf = (...parts: readonly RegExp[]): RegExp => new RegExp(parts.map(({ source }) => source).join("|"), "g");

/** The syntax of comments and strings, by family of languages. */
export const SYNTAX = {
  js: anyOf(SLASHES, DOUBLE, SINGLE, /`(?:\\[\s\S]|[^`\\])*`/, REGEX),
  python: anyOf(/#[^\n]*/, TRIPLE, DOUBLE, SINGLE),
  go: anyOf(SLASHES, DOUBLE, /`[^`]*`/, /'(?:\\.[^']*|[^'\\\n])'/),
  // A single quote starts a lifetime here.
  rust: anyOf(SLASHES, /r(#+)"[\s\S]*?"\1/, /"(?:\\[\s\S]|[^"\\])*"/, /'(?:\\.[^']*|[^'\\\n])'/),
  java: anyOf(SLASHES, TRIPLE, DOUBLE, SINGLE),
  ruby: anyOf(/^=begin[\s\S]*?^=end/m, DOUBLE, SINGLE, /#[^\n]*/),
  php: anyOf(SLASHES, /#(?!\[)[^\n]*/, /"(?:\\[\s\S]|[^"\\])*"/, /'(?:\\[\s\S]|[^'\\])*'/),
  /** Shells, YAML, TOML, Terraform and Dockerfiles. */
  hash: anyOf(/(?<![^\s;&|(])#[^\n]*/, DOUBLE, SINGLE),
  dashes: anyOf(/--[^\n]*/, DOUBLE, SINGLE),
  markdown: anyOf(/<!--[\s\S]*?-->/, /`(?:\\[\s\S]|[^`\\])*`/),
  /** Components and pages: scripts and styles between tags. */
  html: anyOf(/<!--[\s\S]*?-->/, SLASHES, DOUBLE, SINGLE, /`(?:\\[\s\S]|[^`\\])*`/),
} as const;

/** Separates code from comments and strings. Lengths and lines stay the same. */
export function mask(source: string, syntax: RegExp): Masked {
  return {
    text: source.replace(syntax, (token) => (isComment(token) ? blank(token) : token)),
    code: source.replace(syntax, (token) =>
      isComment(token) ? blank(token) : `${token[0]}${blank(token.slice(1, -1))}${token.at(-1)}`,
    ),
  };
}

/** The comments of a source text, with their positions. */
export const commentsIn = (source: string, syntax: RegExp): { text: string; at: number }[] =>
  [...source.matchAll(syntax)].filter(([token]) => isComment(token)).map(({ 0: text, index }) => ({ text, at: index }));

const isComment = (token: string): boolean => /^(?:\/\/|\/\*|#|=begin|--|<!--)/.test(token);

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

const OPEN = "([{";
const CLOSE = ")]}";

/** The number of items in the list that opens at `start`; 1 if there is none. */
export function itemsIn(code: string, start: number): number {
  if (code[start] !== "[") return 1;
  const end = closingOf(code, start);
  let items = 0;
  let at = start + 1;
  for (let i = at; i <= end; i += 1) {
    const char = code[i] ?? "";
    if (i < end && OPEN.includes(char)) i = closingOf(code, i);
    else if (char === "," || i === end) {
      if (code.slice(at, i).trim() !== "") items += 1;
      at = i + 1;
    }
  }
  return Math.max(1, items);
}

/** The position of the bracket that closes the one at `start`; the end of the text if there is none. */
export function closingOf(code: string, start: number): number {
  let depth = 0;
  for (let i = start; i < code.length; i += 1) {
    const char = code[i] ?? "";
    if (OPEN.includes(char)) depth += 1;
    else if (CLOSE.includes(char)) {
      depth -= 1;
      if (depth <= 0) return i;
    }
  }
  return code.length;
}
