/** A word of a shell command. `plain` is false if the shell expands it. */
export interface Word {
  text: string;
  plain: boolean;
}

export type Token =
  | { is: "word"; word: Word }
  /** Separates commands: `;`, `&&`, `||`, `|`, `&`, `(`, `)` or the end of a line. */
  | { is: "operator"; text: string }
  /** A command whose output is used: `$(…)` or `` `…` ``. */
  | { is: "inner"; text: string };

const NOTHING = /^(?:[ \t\r]+|\\\n|#[^\n]*)+/;
const OPERATOR = /^(?:&&|\|\||;;&?|;&|\|&|[;&|()\n])/;
const REDIRECTION = /^\d*(?:&>>?|<<<|<>|[<>]&|>>|>\||[<>])[ \t]*/;
const HEREDOC = /^\d*<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([\w.-]+))/;

interface Document {
  end: string;
  indented: boolean;
}

interface Piece {
  length: number;
  tokens: readonly Token[];
  document?: Document;
}

/** The tokens of a shell command, without redirections, comments and here-documents. */
export function shellTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let documents: Document[] = [];
  for (let at = 0; at < line.length; ) {
    const piece = pieceOf(line.slice(at));
    at += piece.length;
    tokens.push(...piece.tokens);
    if (piece.document) documents.push(piece.document);
    if (line[at - 1] !== "\n") continue;
    for (const document of documents) at = behind(document, line, at);
    documents = [];
  }
  return tokens;
}

function pieceOf(rest: string): Piece {
  const nothing = NOTHING.exec(rest);
  if (nothing) return { length: nothing[0].length, tokens: [] };
  const here = HEREDOC.exec(rest);
  if (here) {
    const document = { end: here[2] ?? here[3] ?? here[4] ?? "", indented: here[1] === "-" };
    return { length: here[0].length, tokens: [], document };
  }
  const redirection = REDIRECTION.exec(rest);
  if (redirection)
    return { length: redirection[0].length + wordOf(rest.slice(redirection[0].length)).length, tokens: [] };
  const operator = OPERATOR.exec(rest);
  if (operator) return { length: operator[0].length, tokens: [{ is: "operator", text: operator[0] }] };
  const { word, inner, length } = wordOf(rest);
  return { length, tokens: [{ is: "word", word }, ...inner.map((text) => ({ is: "inner" as const, text }))] };
}

function behind({ end, indented }: Document, line: string, from: number): number {
  for (let at = from; at < line.length; ) {
    const to = endOf(line, "\n", at);
    const text = line.slice(at, to);
    at = to + 1;
    if ((indented ? text.replace(/^\t+/, "") : text) === end) return at;
  }
  return line.length;
}

interface Part {
  length: number;
  text: string;
  plain: boolean;
  inner?: string;
}

function wordOf(rest: string): { word: Word; inner: string[]; length: number } {
  const inner: string[] = [];
  let [text, plain, quoted, at] = ["", true, false, 0];
  while (at < rest.length && (quoted || !/[\s;&|()<>]/.test(rest[at] ?? ""))) {
    if (rest[at] === '"') {
      quoted = !quoted;
      at++;
      continue;
    }
    const part = partOf(rest, at, quoted);
    text += part.text;
    plain &&= part.plain;
    if (part.inner !== undefined) inner.push(part.inner);
    at += part.length;
  }
  // Never empty: the reader has to make progress.
  return { word: { text, plain }, inner, length: Math.max(at, 1) };
}

function partOf(rest: string, at: number, quoted: boolean): Part {
  const letter = rest[at] ?? "";
  if (letter === "'" && !quoted) {
    const end = endOf(rest, "'", at + 1);
    return { length: end + 1 - at, text: rest.slice(at + 1, end), plain: true };
  }
  if (letter === "\\") return { length: 2, text: (rest[at + 1] ?? "").replace("\n", ""), plain: true };
  if (letter === "$" || letter === "`") return { text: "", plain: false, ...substitution(rest, at) };
  return { length: 1, text: letter, plain: quoted || !/[*?[~]/.test(letter) };
}

function substitution(rest: string, at: number): { length: number; inner?: string } {
  if (rest[at] === "`") {
    const end = endOf(rest, "`", at + 1);
    return { length: end + 1 - at, inner: rest.slice(at + 1, end) };
  }
  if (rest[at + 1] === "{") return { length: endOf(rest, "}", at + 2) + 1 - at };
  if (rest[at + 1] !== "(") return { length: 1 };
  const end = closing(rest, at + 1);
  const isSum = rest[at + 2] === "(";
  return { length: end + 1 - at, ...(isSum ? {} : { inner: rest.slice(at + 2, end) }) };
}

function closing(rest: string, from: number): number {
  let depth = 0;
  for (let at = from; at < rest.length; at++) {
    if (rest[at] === "'") at = endOf(rest, "'", at + 1);
    if (rest[at] === "(") depth++;
    if (rest[at] === ")" && --depth === 0) return at;
  }
  return rest.length;
}

const endOf = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
};
