import { endOf, plainWord, readWord, type Word } from "./words.ts";

export type Token =
  | { is: "word"; word: Word }
  /** Separates commands: `;`, `&&`, `||`, `|`, `&`, `(`, `)` or the end of a line. */
  | { is: "operator"; text: string }
  | { is: "redirection"; way: "in" | "out"; word: Word }
  /** Text for a command's standard input: a here-document or a here-string. */
  | { is: "document"; text: string };

const NOTHING = /(?:[ \t\r]+|\\\r?\n|#[^\n]*)+/y;
const OPERATOR = /&&|\|\||;;&?|;&|\|&|[;&|()\n]/y;
const REDIRECTION = /\d*(?:&>>?|<<<|<>|[<>]&|>>|>\||[<>](?!\())[ \t]*/y;
const HEREDOC = /\d*<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([\w.-]+))/y;

interface Heredoc {
  end: string;
  indented: boolean;
  token: Extract<Token, { is: "document" }>;
}

interface Piece {
  end: number;
  token?: Token;
  heredoc?: Heredoc;
}

/** The tokens of a shell command, without comments. Never fails: text that is no shell command is read as one. */
export function shellTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let heredocs: Heredoc[] = [];
  for (let at = 0; at < line.length; ) {
    const piece = pieceAt(line, at);
    at = piece.end;
    if (piece.token) tokens.push(piece.token);
    if (piece.heredoc) heredocs.push(piece.heredoc);
    if (piece.token?.is !== "operator" || piece.token.text !== "\n") continue;
    for (const heredoc of heredocs) at = readBody(heredoc, line, at);
    heredocs = [];
  }
  return tokens;
}

function pieceAt(line: string, at: number): Piece {
  const match = (form: RegExp) => {
    form.lastIndex = at;
    return form.exec(line);
  };
  const nothing = match(NOTHING);
  if (nothing) return { end: at + nothing[0].length };
  const here = match(HEREDOC);
  if (here) {
    const token = { is: "document" as const, text: "" };
    const heredoc = { end: here[2] ?? here[3] ?? here[4] ?? "", indented: here[1] === "-", token };
    return { end: at + here[0].length, token, heredoc };
  }
  const redirection = match(REDIRECTION);
  if (redirection) return redirected(line, at + redirection[0].length, redirection[0]);
  const operator = match(OPERATOR);
  if (operator) return { end: at + operator[0].length, token: { is: "operator", text: operator[0] } };
  const { word, end } = readWord(line, at);
  return { end, token: { is: "word", word } };
}

function redirected(line: string, at: number, sign: string): Piece {
  // A redirection without a target.
  if (at >= line.length || /[\n;|&()]/.test(line[at] ?? "")) return { end: at };
  const { word, end } = readWord(line, at);
  if (sign.includes("<<<")) return { end, token: { is: "document", text: word.text } };
  const isCopy = /[<>]&/.test(sign) && /^(?:\d+|-)$/.test(word.text);
  return {
    end,
    token: { is: "redirection", way: /</.test(sign) ? "in" : "out", word: isCopy ? plainWord("/dev/null") : word },
  };
}

/** The place after the body of a here-document. */
function readBody({ end, indented, token }: Heredoc, line: string, from: number): number {
  for (let at = from; at < line.length; ) {
    const to = endOf(line, "\n", at);
    const text = line.slice(at, to);
    if ((indented ? text.replace(/^\t+/, "") : text) === end) {
      token.text = line.slice(from, at);
      return to + 1;
    }
    at = to + 1;
  }
  token.text = line.slice(from);
  return line.length;
}
