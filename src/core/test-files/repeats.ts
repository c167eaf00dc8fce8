import { closingOf, itemsIn } from "../source/mask.ts";

/** A part of a text that runs several times. */
export interface Repeat {
  start: number;
  end: number;
  /** 0 if it is unknown. */
  times: number;
}

/** The start of a loop over a list, of another loop, and of a function with a name, which may be called more than once. */
const OVER = /\bfor\s*\([^()]*?\bof\s+|\.(?:forEach|map)\s*(?=\()/g;
const OTHER =
  /\b(?:for|while)\s*(?=\()|\bfunction\s+\w+\s*(?=\()|\b(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>/g;

/** The loops and functions of JavaScript around which tests may stand. */
export function repeatsIn(code: string): Repeat[] {
  const lists = [...code.matchAll(OVER)].map(({ 0: whole, index }): Repeat => {
    const end = index + whole.length;
    return whole.startsWith(".")
      ? { start: end, end: closingOf(code, end), times: itemsAt(code, listBefore(code, index)) }
      : { start: end, end: bodyEnd(code, closingOf(code, code.indexOf("(", index)) + 1), times: itemsAt(code, end) };
  });
  const known = new Set(lists.map(({ end }) => end));
  const others = [...code.matchAll(OTHER)].map(({ 0: whole, index }): Repeat => {
    const start = index + whole.length;
    return { start, end: bodyEnd(code, code[start] === "(" ? closingOf(code, start) + 1 : start), times: 0 };
  });
  return [...lists, ...others.filter(({ end }) => !known.has(end))];
}

/** How often what is at a place runs; 0 if it is unknown. */
export const timesAt = (at: number, repeats: readonly Repeat[]): number =>
  repeats.filter(({ start, end }) => start < at && at < end).reduce((times, repeat) => times * repeat.times, 1);

/** The number of items of the list that is, or is named, at a place; 0 if it is not in the text. */
export function itemsAt(code: string, at: number): number {
  const name = /^\s*(\w+)\s*[),.]/.exec(code.slice(at, at + 100))?.[1];
  const defined = name === undefined ? null : new RegExp(`\\bconst\\s+${name}\\s*=\\s*(?=\\[)`).exec(code);
  const open = defined
    ? defined.index + defined[0].length
    : at + (/^\s*/.exec(code.slice(at, at + 100))?.[0].length ?? 0);
  if (code[open] !== "[") return 0;
  return code.slice(open, closingOf(code, open)).includes("...") ? 0 : itemsIn(code, open);
}

/** The place of the list, or of its name, that ends before a place. */
function listBefore(code: string, end: number): number {
  const last = code.slice(0, end).trimEnd();
  if (!last.endsWith("]")) return Math.max(0, last.length - (/\w+$/.exec(last)?.[0].length ?? 0));
  let depth = 0;
  for (let i = last.length - 1; i >= 0; i -= 1) {
    if (")]}".includes(last[i] ?? "")) depth += 1;
    else if ("([{".includes(last[i] ?? "")) depth -= 1;
    if (depth === 0) return i;
  }
  return 0;
}

/** A block, or one statement. */
export function bodyEnd(code: string, from: number): number {
  const open = /[{(]/.exec(code.slice(from));
  return open ? closingOf(code, from + open.index) : code.length;
}
