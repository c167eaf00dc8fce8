import { SYNTAX } from "../source/mask.ts";

/** Braces that stay on their line: of an import or a declaration, and a list of plugins. */
const ON_ONE_LINE = /^(?:import|export(?! default)|const|let|var)\b[\w\s,*]*$|^plugins: $/;

/**
 * Configuration that is code, with one line for each entry, however it was formatted: without comments, and with one
 * kind of quotes. An array that starts with a text or a number is one entry.
 */
export function codeLines(source: string): string[] {
  const writer: Writer = { lines: [], line: "", open: [], space: false };
  let at = 0;
  for (const { 0: token, index } of source.matchAll(SYNTAX.js)) {
    writePlain(writer, source.slice(at, index), token);
    at = index + token.length;
    if (/^\/[/*]/.test(token)) writePlain(writer, token.includes("\n") ? "\n" : " ", "");
    else put(writer, /^'[^"\\]*'$/.test(token) ? `"${token.slice(1, -1)}"` : token);
  }
  writePlain(writer, source.slice(at), "");
  flush(writer);
  return writer.lines;
}

/** Whether two texts differ only in comments and format. */
export const isSameCode = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (source: string): string => codeLines(source).map(bare).join("\n");

/** A comma or semicolon that a new neighbour needs is no change. */
export const bare = (line = ""): string => line.replace(/[,;]$/, "");

interface Writer {
  lines: string[];
  line: string;
  /** The open brackets: whether each keeps its content on one line. */
  open: boolean[];
  /** Whether there was white space before. */
  space: boolean;
}

function writePlain(writer: Writer, text: string, next: string): void {
  for (const [i, letter] of [...text].entries()) {
    if (/\s/.test(letter)) space(writer, letter);
    else if (/[{[(]/.test(letter)) open(writer, letter, text.slice(i + 1).trimStart()[0] ?? next[0] ?? "");
    else if (/[}\])]/.test(letter)) close(writer, letter);
    else if (/[,;]/.test(letter)) separate(writer, letter);
    else put(writer, letter === ":" ? ": " : letter);
  }
}

const isInline = ({ open: brackets }: Writer): boolean => brackets.at(-1) ?? false;

function space(writer: Writer, letter: string): void {
  writer.space = true;
  if (letter === "\n" && writer.open.length === 0) flush(writer);
}

function open(writer: Writer, letter: string, follows: string): void {
  put(writer, letter);
  const stays = isInline(writer) || (letter !== "(" && keepsLine(letter, writer.line, follows));
  writer.open.push(stays);
  if (letter !== "(" && !stays) flush(writer);
}

function close(writer: Writer, letter: string): void {
  if (letter !== ")" && !isInline(writer)) flush(writer);
  writer.open.pop();
  put(writer, letter);
}

function separate(writer: Writer, letter: string): void {
  put(writer, isInline(writer) ? `${letter} ` : letter);
  if (!isInline(writer)) flush(writer);
}

const keepsLine = (letter: string, line: string, follows: string): boolean =>
  letter === "[" ? /["'`\d]/.test(follows) : ON_ONE_LINE.test(line.slice(0, -1));

function put(writer: Writer, text: string): void {
  const isApart = writer.space && /[\w$"'`]$/.test(writer.line) && /^[\w$"'`]/.test(text);
  writer.line += isApart ? ` ${text}` : text;
  writer.space = false;
}

function flush(writer: Writer): void {
  const line = writer.line.trim();
  if (line !== "") writer.lines.push(line);
  writer.line = "";
  writer.space = false;
}
