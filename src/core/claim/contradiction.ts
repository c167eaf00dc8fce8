import { openItems } from "./checklist.ts";
import type { Doubt } from "./claim.ts";
import { isGoneAbroad, speaksAbroad } from "./contradiction-abroad.ts";
import { FIXED, FIXED_NEXT } from "./contradiction-lexicon.ts";
import type { ContradictionRule } from "./contradiction-rule.ts";
import { CONTRADICTIONS } from "./contradiction-rules.ts";
import type { EchoDetector } from "./echo.ts";
import type { Tag } from "./tag.ts";
import type { MessageView } from "./view.ts";

/** How far around a claim its message is searched: further back, a long message reports troubles that are over. */
const REACH = 4_096;
const MOST = 8;
const LONGEST_QUOTE = 200;

interface Clause {
  text: string;
  start: number;
  /** The rest of the sentence after the clause, which may say that a trouble is solved. */
  rest: string;
  /** The next sentence on the same line, which may resolve everything at once. */
  next: string;
  fenced: boolean;
}

/** Finds words around a claim that contradict it. */
export function contradictionsIn(view: MessageView, tag: Tag, echo: EchoDetector): Doubt[] {
  const from = Math.max(0, tag.start - REACH);
  const text = view.text.slice(from, tag.end + REACH);
  const found: Doubt[] = [];
  const add = (rule: string, start: number, end: number) => {
    const quote = text.slice(start, Math.min(end, start + LONGEST_QUOTE));
    const at = view.base + from + start;
    found.push({ is: "contradicted", rule, start: at, end: at + quote.length, quote });
  };
  const masked = mask(text);
  for (const { start, end } of openItems(masked, echo)) add("unticked", start, end);
  for (const clause of clausesOf(masked)) {
    const rule = ruleOf(clause);
    if (rule) add(rule, clause.start + clause.text.search(/\S/), clause.start + clause.text.trimEnd().length);
  }
  return found.slice(0, MOST);
}

const ruleOf = (clause: Clause): string | null =>
  CONTRADICTIONS.find((candidate) => speaks(candidate, clause))?.name ?? (clause.fenced ? null : speaksAbroad(clause));

function speaks(rule: ContradictionRule, clause: Clause): boolean {
  if (clause.fenced && !rule.inLogs) return false;
  const text = clause.text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[*#>|]/g, " ");
  const subject = rule.exactCase ? clause.text : text;
  const hits = rule.when.map((when) => (when instanceof RegExp ? subject.search(when) : when(subject)));
  const at = hits.find((hit) => hit >= 0);
  if (at === undefined) return false;
  if (rule.unless?.test(subject) || rule.unlessBefore?.test(text.slice(0, at))) return false;
  if (rule.abroad && isGoneAbroad(text, at)) return false;
  return !FIXED.test(clause.rest) && !FIXED_NEXT.test(clause.next);
}

const CLAUSE_END =
  /[.!?](?=\s)|[。！？｡]|[;—–；]|(?<!\b(?:all|every|each|everything)(?: of)?(?: the)?(?: \w+)?),?\s(?=but\b)|,?\s(?=(?:however|although|though|whereas)\b)|,\s(?=(?:the|some|several|one|two|three|a few|\d+|it|they|i|we|tests?|ci)\b)/gi;
const LONGEST_CLAUSE = 400;
/** A line that is only a label for the next one. */
const LABEL =
  /^[\s#*_-]*(?:remaining|outstanding|missing|left|pending|open|unfinished|to ?do|known|not done|still)\b[^\n.]{0,40}\n\s*$/i;

function* clausesOf(masked: string): Generator<Clause> {
  let fenced = false;
  let start = 0;
  for (const line of linesOf(masked)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (!/^\s*>/.test(line)) yield* clausesOfLine(line, start, fenced);
    start += line.length;
  }
}

/** Lines, each with its line break; a label stays with the line below it. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const above = lines.at(-1);
    if (above !== undefined && LABEL.test(above) && !line.startsWith("`")) lines[lines.length - 1] = above + line;
    else lines.push(line);
  }
  return lines;
}

function* clausesOfLine(line: string, base: number, fenced: boolean): Generator<Clause> {
  let start = 0;
  const ends = [...line.matchAll(CLAUSE_END)].map((end) => end.index + end[0].length);
  for (const end of [...ends, line.length]) {
    // Cutting an endless clause loses at most one finding, and bounds the work of every pattern.
    for (; start < end; start += LONGEST_CLAUSE) {
      const text = line.slice(start, Math.min(end, start + LONGEST_CLAUSE));
      if (/\S/.test(text)) yield { text, start: base + start, ...followOf(line, end), fenced };
    }
    start = end;
  }
}

function followOf(line: string, from: number): Pick<Clause, "rest" | "next"> {
  const after = line.slice(from, from + LONGEST_CLAUSE).toLowerCase();
  const ended = /[.!?。！？]\s*$/.test(line.slice(Math.max(0, from - 2), from));
  const rest = ended ? "" : (/^[^.!?。！？\n]*/.exec(after)?.[0] ?? "");
  return { rest, next: /^[.!?。！？\s]*([^.!?。！？\n]*)/.exec(after.slice(rest.length))?.[1] ?? "" };
}

/** Blanks text that is not the agent's own statement (tags, quotations, inline code), keeping every offset. */
function mask(text: string): string {
  const fill = (letter: string) => (found: string) => found.replace(/[^\n]/g, letter);
  return text
    .replace(/<(promise|response|blocked)[ \t]{0,4}>[^<]{0,4096}<\/\1[ \t]{0,4}>/gi, fill(" "))
    .replace(/`[^`\n]{1,200}`/g, fill("_"))
    .replace(/"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»/g, fill(" "));
}
