import { commentsIn, mask } from "../source/mask.ts";
import { type SuppressionForm, suppressionsOf, toolIn } from "./suppressions.ts";

/** A place where a tool is made to ignore its findings. */
export interface Suppression {
  tool: string;
  rank: number;
  /** As it is written, without what follows. */
  name: string;
  line: number;
  /** Its line, without indentation. */
  text: string;
}

const TEXT_CHARS = 200;
const NAME_CHARS = 60;

/** Every suppression that a tool would honour, in order: none in strings and documentation. */
export function suppressionsIn(path: string, source: string): Suppression[] {
  const language = suppressionsOf(path) ?? suppressionsOf(scriptName(source));
  if (!language) return [];
  const { syntax, forms } = language;
  const inComments = commentsIn(source, syntax).flatMap(({ text, at }) =>
    segmentsOf(text).flatMap((segment) => {
      const found = firstIn(segment.text, forms);
      return found ? [{ ...found, at: at + segment.at }] : [];
    }),
  );
  const found = [...inComments, ...inCode(source, syntax, forms)].sort((a, b) => a.at - b.at);
  return located(source, found);
}

const INTERPRETERS: readonly [RegExp, string][] = [
  [/^#!.*\b(?:node|deno|bun|tsx)\b/, "a.js"],
  [/^#!.*\bpython/, "a.py"],
  [/^#!.*\bruby\b/, "a.rb"],
  [/^#!.*\bphp\b/, "a.php"],
  [/^#!.*sh\b/, "a.sh"],
];

/** A name with the ending that fits a script's first line. */
const scriptName = (source: string): string => INTERPRETERS.find(([line]) => line.test(source))?.[1] ?? "";

type Found = Pick<Suppression, "tool" | "rank" | "name"> & { at: number };

const SEGMENT = /(?:^|\n|\/\/|#(?=\s*\w)|--)[\s/*#!<{;-]*/g;

/** Where a directive may start: at the beginning of each line of a comment, and after another comment mark. */
function segmentsOf(comment: string): { text: string; at: number }[] {
  const starts = [...comment.matchAll(SEGMENT)].map(({ 0: mark, index }) => index + mark.length);
  return starts.map((at, i) => ({ at, text: comment.slice(at, starts[i + 1]) }));
}

const MARKS = new WeakMap<SuppressionForm, RegExp>();

function markOf(form: SuppressionForm): RegExp {
  const known = MARKS.get(form);
  if (known) return known;
  const made = new RegExp(`${form.anywhere ? "(?<![\\w-])" : "^"}(?:${form.words})(?![\\w-])`);
  MARKS.set(form, made);
  return made;
}

function firstIn(text: string, forms: readonly SuppressionForm[]): Omit<Found, "at"> | null {
  for (const form of forms) {
    if (form.words === undefined) continue;
    const match = markOf(form).exec(text);
    if (!match) continue;
    const rest = text.slice(match.index + match[0].length);
    const hidesAll = form.named !== undefined && !form.named.test(rest);
    return { tool: form.tool ?? toolIn(match[0]), rank: form.rank + (hidesAll ? 1 : 0), name: nameIn(match[0]) };
  }
  return null;
}

/** Printable and short, because it is shown. */
const nameIn = (words: string): string =>
  words
    .replace(/[\s(["'\]]+/g, " ")
    .replace(/[^ -~]/g, "?")
    .trim()
    .slice(0, NAME_CHARS);

function inCode(source: string, syntax: RegExp, forms: readonly SuppressionForm[]): Found[] {
  if (!forms.some((form) => form.code)) return [];
  const masked = mask(source, syntax).code;
  return forms.flatMap(({ tool, rank, code }) =>
    code
      ? [...masked.matchAll(code.form)].map(({ index }) => ({
          tool: tool ?? code.name,
          rank,
          name: code.name,
          at: index,
        }))
      : [],
  );
}

/** Adds lines in one pass, because a file may be large. */
function located(source: string, found: readonly Found[]): Suppression[] {
  let line = 1;
  let start = 0;
  return found.map(({ at, ...what }) => {
    for (let next = source.indexOf("\n", start); next !== -1 && next < at; next = source.indexOf("\n", start)) {
      line++;
      start = next + 1;
    }
    const end = source.indexOf("\n", at);
    return {
      ...what,
      line,
      text: source
        .slice(start, end === -1 ? undefined : end)
        .trim()
        .slice(0, TEXT_CHARS),
    };
  });
}
