import type { TextFilter } from "../ansi.ts";
import { keysIn } from "../secrets.ts";
import { type Found, withoutFound } from "./found.ts";
import { unfinishedName } from "./named.ts";

/** A line that is longer is not held back until its end, */
const LONGEST = 65_536;
/** but the end of it, in which a secret may begin. */
const OVERLAP = 4_096;
const LONGEST_WORD = 200;
/** Text of more than this that was held back is read again only once it has grown by a part of it. */
const REREAD = 4_096;
const GROWTH = 1 / 2;

/** Hides secrets in a stream. It is cut at ends of lines, unless they are very long, and never in a secret. */
export function secretFilter(): TextFilter {
  let held = "";
  let isInSecret = false;
  let least = 0;
  const hideTo = (end: number, found: readonly Found[]): string => {
    const text = held.slice(0, end);
    held = held.slice(end);
    const inside = found.filter((one) => one.start < end);
    return withoutFound(
      text,
      inside.map((one) => ({ ...one, end: Math.min(one.end, end) })),
    );
  };
  return {
    pass(chunk) {
      held += isInSecret ? afterSecret(chunk) : chunk;
      isInSecret &&= held === "";
      if (held.length < least) return "";
      const line = held.lastIndexOf("\n") + 1;
      const isLong = held.length - line >= LONGEST;
      if (line === 0 && !isLong) return "";
      const found = keysIn(held);
      const wanted = isLong ? held.length - OVERLAP : line;
      const end = placeToCut(held, wanted, found);
      const left = held.length - end;
      least = left < REREAD ? 0 : left * (1 + GROWTH);
      if (end > 0) return hideTo(end, found);
      if (held.length < LONGEST) return "";
      // One secret fills all of it. What follows it is dropped as long as it has no end.
      const last = found.reduce((most, one) => (one.start < wanted ? Math.max(most, one.end) : most), wanted);
      isInSecret = last === held.length;
      return hideTo(last, found);
    },
    flush: () => hideTo(held.length, keysIn(held)),
  };
}

const afterSecret = (chunk: string): string => {
  const end = chunk.search(/[\s"']/);
  return end === -1 ? "" : chunk.slice(end);
};

/** The last place, up to the wanted one, at which neither a secret is cut nor a name from its value. */
function placeToCut(text: string, wanted: number, found: readonly Found[]): number {
  let end = unfinishedName(text.slice(0, wanted)) ?? wanted;
  for (const { from, end: last } of found.toSorted((one, other) => other.from - one.from)) {
    if (from < end && last >= end) end = from;
  }
  if (end === wanted && text[end - 1] === "\n") return end;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return end === 0 || line > 0 ? line : beginningOfWord(text, end);
}

/** A flag is one by its dashes. */
function beginningOfWord(text: string, end: number): number {
  const from = Math.max(0, end - LONGEST_WORD);
  return from + text.slice(from, end).search(/[\w-]*$/);
}
