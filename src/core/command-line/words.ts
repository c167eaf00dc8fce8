/** A piece of a word. */
export type Part =
  | { is: "text"; text: string; quoted: boolean }
  /** `otherwise`: its default, as in `${NAME:-default}`. */
  | { is: "variable"; name: string; otherwise: string }
  /** The output of a command: `$(…)`, `` `…` `` or `<(…)`. */
  | { is: "output"; command: string }
  /** Known to the shell only. */
  | { is: "unknown" };

/** A word of a shell command. */
export interface Word {
  parts: readonly Part[];
  /** Its text without quotes and expansions. */
  text: string;
  /** False if the shell expands it. */
  plain: boolean;
}

/** The words of a line as a set. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const wordFrom = (parts: readonly Part[]): Word => ({
  parts,
  text: parts.map((part) => (part.is === "text" ? part.text : "")).join(""),
  plain: parts.every((part) => part.is === "text" && (part.quoted || !/[*?[~]/.test(part.text))),
});

/** A word that stands for exactly this text. */
export const plainWord = (text: string): Word => wordFrom([{ is: "text", text, quoted: true }]);

/** Reads the word that starts at `from`. Never empty: the reader has to make progress. */
export function readWord(line: string, from: number): { word: Word; end: number } {
  const parts: Part[] = [];
  let [at, quoted] = [from, false];
  while (at < line.length && (quoted || !END.test(line[at] ?? "") || isProcess(line, at))) {
    if (line[at] === '"') {
      quoted = !quoted;
      at++;
      continue;
    }
    const { part, end } = readPart(line, at, quoted);
    const last = parts.at(-1);
    if (part.is === "text" && last?.is === "text" && last.quoted === part.quoted) last.text += part.text;
    else parts.push(part);
    at = end;
  }
  return { word: wordFrom(parts), end: Math.max(at, from + 1) };
}

const END = /[\s;&|()<>]/;

const isProcess = (line: string, at: number): boolean => (line[at] === "<" || line[at] === ">") && line[at + 1] === "(";

interface ReadPart {
  part: Part;
  end: number;
}

function readPart(line: string, at: number, quoted: boolean): ReadPart {
  const letter = line[at] ?? "";
  const text = (value: string, end: number): ReadPart => ({ part: { is: "text", text: value, quoted: true }, end });
  if (letter === "'" && !quoted) {
    const end = endOf(line, "'", at + 1);
    return text(line.slice(at + 1, end), end + 1);
  }
  if (letter === "\\") return text((line[at + 1] ?? "").replace("\n", ""), at + 2);
  if (letter === "$" && line[at + 1] === "'" && !quoted) {
    const end = endOf(line, "'", at + 2);
    return text(line.slice(at + 2, end), end + 1);
  }
  if (letter === "$" || letter === "`") return expansion(line, at);
  if (!quoted && isProcess(line, at)) return output(line, at + 1);
  return { part: { is: "text", text: letter, quoted }, end: at + 1 };
}

const NAME = /[A-Za-z_]\w*|\d|[@*]/y;
const BRACED = /^([A-Za-z_]\w*|\d+|[@*])(?:\[[^\]]*\])?(?::?[-=+](.*))?$/s;

function expansion(line: string, at: number): ReadPart {
  if (line[at] === "`") {
    const end = endOf(line, "`", at + 1);
    return { part: { is: "output", command: line.slice(at + 1, end) }, end: end + 1 };
  }
  if (line[at + 1] === "(") return output(line, at + 1);
  if (line[at + 1] === "{") {
    const end = endOf(line, "}", at + 2);
    const inner = line.slice(at + 2, end);
    const [, name, otherwise = ""] = BRACED.exec(inner) ?? [];
    // `${0%/*}` is the folder of a script.
    const own = /^(?:0|BASH_SOURCE(?:\[0\])?)%\/\*$/.test(inner);
    const part: Part = own
      ? { is: "output", command: 'dirname "$0"' }
      : name === undefined
        ? { is: "unknown" }
        : { is: "variable", name, otherwise };
    return { part, end: end + 1 };
  }
  NAME.lastIndex = at + 1;
  const name = NAME.exec(line)?.[0];
  if (name === undefined) return { part: { is: "unknown" }, end: at + (/[#?$!-]/.test(line[at + 1] ?? "") ? 2 : 1) };
  return { part: { is: "variable", name, otherwise: "" }, end: at + 1 + name.length };
}

function output(line: string, open: number): ReadPart {
  const end = closing(line, open);
  const isSum = line[open + 1] === "(" && line[open - 1] === "$";
  const part: Part = isSum ? { is: "unknown" } : { is: "output", command: line.slice(open + 1, end) };
  return { part, end: end + 1 };
}

/** The place of the parenthesis that closes the one at `from`. */
function closing(line: string, from: number): number {
  const open: string[] = [];
  for (let at = from; at < line.length; at++) {
    const letter = line[at] ?? "";
    const inText = open.at(-1) === '"';
    if (letter === "\\") at++;
    else if (letter === "'" && !inText) at = endOf(line, "'", at + 1);
    else if (opens(letter, { inText, before: line[at - 1] })) open.push(letter);
    else if (closes(letter, inText)) open.pop();
    if (open.length === 0) return at;
  }
  return line.length;
}

const opens = (letter: string, { inText, before }: { inText: boolean; before: string | undefined }): boolean =>
  letter === "(" ? !inText || before === "$" : letter === '"' && !inText;

const closes = (letter: string, inText: boolean): boolean => letter === (inText ? '"' : ")");

/** The place of a mark, or the end of the text. */
export const endOf = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
};

/** A word without its first characters, which are plain text. */
export function withoutStart({ parts }: Word, length: number): Word {
  let left = length;
  return wordFrom(
    parts.map((part) => {
      if (part.is !== "text" || left === 0) return part;
      const cut = Math.min(left, part.text.length);
      left -= cut;
      return { ...part, text: part.text.slice(cut) };
    }),
  );
}
