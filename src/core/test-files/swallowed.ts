import { closingOf } from "../source/mask.ts";

type Range = readonly [start: number, end: number];

/** The parts of a text that cannot make a test fail: they never run, or their errors are caught and dropped. */
export const swallowedIn = (code: string): Range[] => [...inBraces(code), ...byIndentation(code)];

const DROPPED = /\}\s*catch\s*(?:\([^)]*\))?\s*\{\s*\}/g;
const CAUGHT = /\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|0|false|true)\s*\)/g;
const NEVER = /\bif\s*\(\s*(?:false|0|null|undefined|!1|!true)\s*\)\s*/g;

function inBraces(code: string): Range[] {
  const dropped = [...code.matchAll(DROPPED)].map(({ index }): Range => [openingOf(code, index), index]);
  const caught = [...code.matchAll(CAUGHT)].map(({ index }): Range => [statementStart(code, index), index]);
  const never = [...code.matchAll(NEVER)].map(({ 0: whole, index }): Range => {
    const start = index + whole.length;
    return [start, code[start] === "{" ? closingOf(code, start) : start + 1];
  });
  return [...dropped, ...caught, ...never];
}

/** The bracket that the one at `end` closes. */
function openingOf(code: string, end: number): number {
  let depth = 0;
  for (let i = end; i >= 0; i -= 1) {
    if (")]}".includes(code[i] ?? "")) depth += 1;
    else if ("([{".includes(code[i] ?? "")) depth -= 1;
    if (depth === 0) return i;
  }
  return 0;
}

/** Where the statement starts that contains a place. */
function statementStart(code: string, at: number): number {
  for (let i = at - 1; i >= 0; i -= 1) {
    const char = code[i] ?? "";
    if (")]}".includes(char)) i = openingOf(code, i);
    else if ("([{;".includes(char)) return i + 1;
  }
  return 0;
}

const BLOCK = /^([ \t]*)(try|with (?:contextlib\.)?suppress\(.*\)|if (?:False|0|None))[ \t]*:[ \t]*$/m;
const PASSES = /^except\b[^\n]*:\s*(?:pass|\.\.\.|continue|return(?:\s+None)?)\s*$/;

function byIndentation(code: string): Range[] {
  if (!BLOCK.test(code)) return [];
  const lines = code.split("\n");
  const starts = lines.map(() => 0);
  for (let i = 1; i < lines.length; i += 1) starts[i] = (starts[i - 1] ?? 0) + (lines[i - 1]?.length ?? 0) + 1;
  return lines.flatMap((line, i): Range[] => {
    const [, indent = "", kind] = BLOCK.exec(line) ?? [];
    if (kind === undefined) return [];
    const isAfter = (next: string) => next.trim() !== "" && next.search(/\S/) <= indent.length;
    const length = lines.slice(i + 1).findIndex(isAfter);
    const end = length === -1 ? lines.length : i + 1 + length;
    const handler = `${lines[end]?.trim() ?? ""} ${lines[end + 1]?.trim() ?? ""}`;
    return kind !== "try" || PASSES.test(handler) || PASSES.test(lines[end]?.trim() ?? "")
      ? [[starts[i] ?? 0, starts[end] ?? code.length]]
      : [];
  });
}
