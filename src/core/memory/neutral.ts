import { printable, printableText } from "../ansi.ts";
import { looksLike } from "../claim/lookalike.ts";
import type { ClaimPolicy } from "../claim/policy.ts";
import { shorten } from "../excerpt.ts";

/** The tags by which an agent speaks to Ralph. */
const TAGS = ["promise", "response", "blocked", "note", "review"];

const OPEN = "(?:<|&lt;|&#0*60;|&#x0*3c;|[＜‹〈⟨❮])";
const CLOSE = "(?:>|&gt;|&#0*62;|&#x0*3e;|[＞›〉⟩❯])";
/** Anything with the form of a tag, also one that only looks like it. */
const SHAPE = new RegExp(`${OPEN}([/／]?)([^\\s<>&/＜＞‹›〈〉⟨⟩❮❯]{4,24})\\s{0,8}[/／]?${CLOSE}`, "giu");

/** The text with Ralph's tags written as `[promise]`, so that quoting it claims nothing. Other tags stay. */
export const withoutTags = (text: string): string =>
  text.replace(SHAPE, (all, slash: string, name: string) => {
    const tag = TAGS.find((one) => name.toLowerCase() === one || looksLike(name, one) !== null);
    return tag ? `[${slash === "" ? "" : "/"}${tag}]` : all;
  });

/** Text from outside on one line: without tags, and no start of a code block. */
export const quietLine = (text: string, maxChars: number): string =>
  withoutTags(shorten(printable(text), maxChars)).replace(/`{3,}|~{3,}/g, "'''");

/** Text from outside in a fence that it cannot close. */
export function quietBlock(text: string, { promise }: Pick<ClaimPolicy, "promise">): string {
  const lines = withoutTags(printableText(text)).split("\n");
  const inner = lines.map((line) => (isSignal(line, promise) ? `[promise] ${line.trim()}` : line)).join("\n");
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${inner}\n${fence}`;
}

/** In a workflow the promise alone on a line asks for verification as well. */
const isSignal = (line: string, promise: string): boolean =>
  promise.trim() !== "" && line.replace(/^[\s*_]+|[\s*_]+$/g, "") === promise.trim();
