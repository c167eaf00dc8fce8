import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Complaint } from "../complaints.ts";
import { hideSecrets } from "../secrets.ts";
import { positionAt } from "./json-places.ts";

const WORDS: Record<string, string> = {
  PropertyNameExpected: "expected a key in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon after the key",
  CommaExpected: "expected a comma before this",
  CloseBraceExpected: "expected } or a comma",
  CloseBracketExpected: "expected ] or a comma",
  EndOfFileExpected: "expected the end of the file",
  InvalidCommentToken: "comments are not allowed: the file is strict JSON",
  UnexpectedEndOfComment: "comments are not allowed: the file is strict JSON",
  UnexpectedEndOfString: "the text that starts here has no closing quote on this line",
  UnexpectedEndOfNumber: "expected a digit",
  InvalidNumberFormat: "expected a number",
  InvalidUnicode: "expected four hexadecimal digits after \\u",
  InvalidEscapeCharacter: 'a backslash in text must be doubled, or start one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u',
  InvalidCharacter: "a control character in text must be written as \\t, \\n or \\u00…",
};
const UNQUOTED = "keys and text must be in double quotes; only numbers, true, false and null have none";

/** The first syntax error of a JSON text; later errors mostly follow from it. Null if there is none. */
export function syntaxComplaint(source: string): Complaint | null {
  const end = source.trimEnd().length;
  if (end === 0) return { line: 1, column: 1, text: "the file is empty" };
  const [first] = errorsOf(source).sort((a, b) => a.offset - b.offset);
  if (!first) return null;
  const offset = Math.min(first.offset, end);
  const comma = commaBefore(source, offset);
  if (comma !== null) {
    const text = `a comma before ${source[offset]} is not allowed: the file is strict JSON`;
    return { ...positionAt(source, comma), text };
  }
  const text = wordsFor(first, source);
  return { ...positionAt(source, offset), text: offset === end ? `${text}, but the file ends here` : text };
}

function errorsOf(source: string): ParseError[] {
  const errors: ParseError[] = [];
  try {
    parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // Nested too deeply for the parser: the errors found so far still count.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors;
}

/** The position of a trailing comma. */
function commaBefore(source: string, offset: number): number | null {
  if (!/[}\]]/.test(source[offset] ?? "")) return null;
  const before = source.slice(0, offset).trimEnd();
  return before.endsWith(",") ? before.length - 1 : null;
}

function wordsFor({ error, offset }: ParseError, source: string): string {
  const name = printParseErrorCode(error);
  const here = source[offset] ?? "";
  if (/['‘“`]/.test(here)) return "expected double quotes";
  if (name === "CommaExpected" && /[}\]]/.test(here)) return `expected ${here === "}" ? "]" : "}"} before this`;
  if (name === "CommaExpected" && /^\d\d/.test(source.slice(offset - 1))) return "a number must not start with 0";
  if (name === "InvalidSymbol" && /[+.]/.test(here)) return "a number starts with a digit or a minus sign";
  return name === "InvalidSymbol" ? UNQUOTED : (WORDS[name] ?? "not JSON");
}

const WINDOW = 90;

/** The line of an error with a caret below it, shortened around the position and with secrets hidden. */
export function lineAt(source: string, { line, column }: Complaint): string {
  const plain = (source.split("\n")[line - 1] ?? "").replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").trimEnd();
  const text = hideSecrets(plain);
  const caret = hideSecrets(plain.slice(0, column - 1)).length;
  const from = Math.max(0, Math.min(caret - WINDOW / 2, text.length - WINDOW));
  const shown = text.slice(from, from + WINDOW);
  const margin = String(line);
  return `  ${margin} | ${shown}\n  ${" ".repeat(margin.length)} | ${" ".repeat(caret - from)}^`;
}
