import type { EchoDetector } from "./echo.ts";
import { type CodeFence, fenceEnd } from "./fence.ts";
import type { Tag } from "./tag.ts";
import { introOf, type Setting, settingOf } from "./tag-context.ts";
import type { MessageView } from "./view.ts";
import { aboutTheTag } from "./wording.ts";

/** The input of the guards: a tag, the fence that contains it, and its surroundings. */
interface Sight {
  view: MessageView;
  tag: Tag;
  fence: CodeFence | null;
  setting: Setting;
  echo: EchoDetector;
}

/** Marks that make a line something other than the agent's own speech. */
const LINES: readonly (readonly [name: string, prefix: RegExp, suffix: RegExp])[] = [
  ["escaped", /\\$/, /^/],
  ["block-quote", /^[\s\-*+\d.)]*>/, /^/],
  ["table", /^\s*\|/, /\|/],
  ["struck-out", /~~\s*$/, /^\s*~~/],
  ["diff", /^\s*\+$/, /^/],
  ["listing", /^\s*(?:\S{1,200}:\d+:(?:\d+:)?\s*|\d+\s*(?:→|│|\t|:)\s*|\$\s.*)$/, /^/],
  ["unchecked", /^\s*(?:[-*+]|\d+[.)])?\s*\[ ?\]/, /^/],
];

/** Marks that both open and close a quotation: one before the tag, one after. Next to the tag they need no counting. */
const SAME_MARKS: readonly (readonly [name: string, mark: RegExp, hugging: RegExp])[] = [
  ["inline-code", /`+/g, /^``$/],
  ["quoted", /"/g, /^""$/],
];
/** Pairs that quote the text between them. */
const PAIRS: readonly (readonly [name: string, open: RegExp, close: RegExp])[] = [
  ["quoted", /[“„]/g, /[”“]/],
  ["quoted", /«|‹/g, /»|›/],
  ["quoted", /「|『/g, /」|』/],
  ["quoted", /(?<![\p{L}\p{N}])['‘](?=\S|$)/gu, /(?:^|(?<=\S))['’](?![\p{L}\p{N}])/u],
];

/** Labels of lists of future work. */
const PLAN =
  /\b(?:plan(?:ned)?|next|remaining|to ?do|steps?|instructions?|rules?|requirements?|checklist|format|examples?|expected|pending|outstanding|later)\b/i;
const PAST = /\b(?:taken|done|completed?|finished|performed|executed|passed|ran|followed|met|satisfied)\b/i;

/** Names the rule by which a tag is text about the tag rather than a claim; null when no rule applies. */
export function guard(view: MessageView, tag: Tag, fence: CodeFence | null, echo: EchoDetector): string | null {
  const setting = settingOf(view, tag);
  const sight = { view, tag, fence, setting, echo };
  const line = LINES.find(([, prefix, suffix]) => prefix.test(setting.prefix) && suffix.test(setting.suffix));
  if (line) return line[0];
  if (fence) return fenced(sight, fence);
  if (setting.alone) return byNeighbours(sight, tag.start);
  return enclosed(setting) ?? echoed(sight) ?? aboutTheTag(setting.lead, setting.trail);
}

/** A fence with only the tag is a form agents copy from the prompt; in any other fence the tag is a sample or a log. */
function fenced(sight: Sight, fence: CodeFence): string | null {
  const { view, tag, setting } = sight;
  const start = fence.content - view.base;
  const first = start >= 0 && !/\S/.test(view.text.slice(start, tag.start));
  const last = setting.alone && setting.final;
  if (!first && !last) return "code-fence";
  const end = fenceEnd(view, fence, tag.end);
  // A fence that was never closed must not swallow the message's last line.
  if (last && !end) return byNeighbours({ ...sight, fence: null }, tag.start);
  const after = view.text.slice(tag.end, end ? end.start - view.base : view.text.length);
  return first && !/\S/.test(after) ? byNeighbours(sight, fence.start - view.base) : "code-fence";
}

/** Names the rule by which a stretch is quoted or code rather than said; null if no rule applies. */
export function quotedBy(
  view: MessageView,
  stretch: Pick<Tag, "start" | "end">,
  fence: CodeFence | null,
): string | null {
  const setting = settingOf(view, stretch);
  const line = LINES.find(([, prefix, suffix]) => prefix.test(setting.prefix) && suffix.test(setting.suffix));
  return line?.[0] ?? (fence ? "code-fence" : enclosed(setting));
}

function byNeighbours({ view, tag, setting, echo, fence }: Sight, start: number): string | null {
  const written = view.text.slice(tag.start, tag.end);
  const above = introOf(view.text, start);
  const below = /^[`~\s]*([^\n]*)/.exec(view.text.slice(tag.end + setting.suffix.length, tag.end + 1000))?.[1] ?? "";
  if (echo.repeatsAround(above, written, below)) return "echo";
  const announced = /[:：][\s*_]*$/.test(above) ? aboutTheTag(`${lastSentence(above)} `, "") : null;
  // A bare last line is the requested form: only an outright condition or refusal directly above it disqualifies it.
  if (setting.final && !setting.item && !fence) return announced && WITHDRAWN.has(announced) ? announced : null;
  const quote = fence ? null : enclosed(setting);
  if (quote) return quote;
  return setting.item && isPlan(introOf(view.text, start, true)) ? "plan" : announced;
}

const WITHDRAWN = new Set(["negated", "conditional"]);

function lastSentence(line: string): string {
  return line.split(/(?<=[.!?])\s+(?=\p{Lu})/u).at(-1) ?? line;
}

function isPlan(label: string): boolean {
  return /^\s*#|[:*]\s*$/.test(label) && PLAN.test(label) && !PAST.test(label);
}

function echoed({ view, tag, setting, echo }: Sight): string | null {
  return echo.repeats(setting.lead, view.text.slice(tag.start, tag.end), setting.trail) ? "echo" : null;
}

function enclosed({ above, below }: Setting): string | null {
  if (above.lastIndexOf("<!--") > above.lastIndexOf("-->") && below.includes("-->")) return "comment";
  const same = SAME_MARKS.find(
    ([, mark, hugs]) =>
      hugs.test(`${above.slice(-1)}${below.slice(0, 1)}`) || (isOdd(above, mark) && isOdd(below, mark)),
  );
  const pair = PAIRS.find(([, open, close]) => isOpen(above, open, close) && close.test(below));
  return (same ?? pair)?.[0] ?? null;
}

function isOdd(text: string, mark: RegExp): boolean {
  return (text.match(mark)?.length ?? 0) % 2 === 1;
}

function isOpen(text: string, open: RegExp, close: RegExp): boolean {
  let at = -1;
  for (const found of text.matchAll(open)) at = found.index;
  return at >= 0 && !close.test(text.slice(at + 1));
}
