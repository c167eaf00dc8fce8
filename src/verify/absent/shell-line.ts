/** A word of a shell command; not `plain` where the shell puts something else in its place. */
export interface Word {
  text: string;
  plain: boolean;
}

export type Token =
  | { is: "word"; word: Word }
  /** What parts commands: `;`, `&&`, `||`, `|`, `&`, `(`, `)`, a line's end. */
  | { is: "operator"; text: string }
  /** A command whose output is used: `$(…)` or `` `…` ``. */
  | { is: "inner"; text: string };

const OPERATOR = /^(?:&&|\|\||;;&?|;&|\|&|[;&|()\n])/;
const REDIRECTION = /^\d*(?:&>>?|<<<|<>|[<>]&|>>|>\||[<>])/;
const HEREDOC = /^\d*<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([\w.-]+))/;

/** The tokens of a shell command; redirections, comments and here-documents are left out. */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  const documents: { end: string; indented: boolean }[] = [];
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at);
    const [space] = /^(?:[ \t\r]+|\\\n|#[^\n]*)+/.exec(rest) ?? [];
    const document = HEREDOC.exec(rest);
    const [redirection] = REDIRECTION.exec(rest) ?? [];
    const [operator] = OPERATOR.exec(rest) ?? [];
    if (space) at += space.length;
    else if (document) {
      documents.push({ end: document[2] ?? document[3] ?? document[4] ?? "", indented: document[1] === "-" });
      at += document[0].length;
    } else if (redirection) at = wordAt(line, skipBlanks(line, at + redirection.length)).end;
    else if (operator) {
      at += operator.length;
      if (operator === "\n") for (const { end, indented } of documents.splice(0)) at = after(line, at, end, indented);
      tokens.push({ is: "operator", text: operator });
    } else {
      const { word, inner, end } = wordAt(line, at);
      tokens.push({ is: "word", word }, ...inner.map((text) => ({ is: "inner" as const, text })));
      at = end;
    }
  }
  return tokens;
}

function skipBlanks(line: string, at: number): number {
  return at + (/^[ \t]*/.exec(line.slice(at))?.[0].length ?? 0);
}

/** Where the line behind a here-document begins. */
function after(line: string, from: number, end: string, indented: boolean): number {
  for (let at = from; at < line.length; ) {
    const newline = line.indexOf("\n", at);
    const to = newline === -1 ? line.length : newline;
    const text = line.slice(at, to);
    at = to + 1;
    if ((indented ? text.replace(/^\t+/, "") : text) === end) return at;
  }
  return line.length;
}

interface FoundWord {
  word: Word;
  inner: string[];
  end: number;
}

function wordAt(line: string, from: number): FoundWord {
  const inner: string[] = [];
  let [text, plain, quoted, at] = ["", true, false, from];
  for (; at < line.length; ) {
    const letter = line[at] ?? "";
    if (letter === "'" && !quoted) {
      const end = endOf(line, "'", at + 1);
      text += line.slice(at + 1, end);
      at = end + 1;
    } else if (letter === '"') {
      quoted = !quoted;
      at++;
    } else if (letter === "\\") {
      text += line[at + 1] === "\n" ? "" : (line[at + 1] ?? "");
      at += 2;
    } else if (letter === "$" || letter === "`") {
      const found = substitution(line, at);
      if (found.command !== null) inner.push(found.command);
      plain = false;
      at = found.end;
    } else if (!quoted && /[\s;&|()<>]/.test(letter)) {
      break;
    } else {
      if (!quoted && /[*?[~]/.test(letter)) plain = false;
      text += letter;
      at++;
    }
  }
  // Never nothing: whoever reads on must come to an end.
  return { word: { text, plain }, inner, end: Math.max(at, from + 1) };
}

function substitution(line: string, at: number): { command: string | null; end: number } {
  if (line[at] === "`") {
    const end = endOf(line, "`", at + 1);
    return { command: line.slice(at + 1, end), end: end + 1 };
  }
  if (line[at + 1] === "{") return { command: null, end: endOf(line, "}", at + 2) + 1 };
  if (line[at + 1] !== "(") return { command: null, end: at + 1 };
  let depth = 0;
  let end = at + 1;
  for (; end < line.length; end++) {
    if (line[end] === "'") end = endOf(line, "'", end + 1);
    if (line[end] === "(") depth++;
    if (line[end] === ")" && --depth === 0) break;
  }
  const isSum = line[at + 2] === "(";
  return { command: isSum ? null : line.slice(at + 2, end), end: end + 1 };
}

const endOf = (line: string, mark: string, from: number): number => {
  const found = line.indexOf(mark, from);
  return found === -1 ? line.length : found;
};
