import { printable } from "../ansi.ts";
import { firstOf, shorten } from "../excerpt.ts";
import { equalReasons } from "./equal-reasons.ts";
import { isWeak, itemsOf, type Report, type ReportItem, STANDING_TITLES, STANDINGS, type Standing } from "./report.ts";
import { countWords, factWords, outcomeWords, restWords, timeSpan, totalWords, weakSummary } from "./words.ts";

/** A line of the report as text, and how it looks on a terminal. */
export interface ReportLine {
  text: string;
  looks?: "bold" | "dim" | Standing;
  /** The item it names, whose mark comes first. */
  item?: ReportItem;
}

const WHY_CHARS = 400;
const TITLE_CHARS = 100;
const WEAK_CHARS = 300;

/** The report for a terminal or a mail, without colours. */
export function reportLines(report: Report, clock: (ms: number) => string): ReportLine[] {
  const weak = weakSummary(report);
  return [
    { text: `Report ${timeSpan(report, clock)}: ${countWords(report)}`, looks: "bold" },
    { text: `  ${totalWords(report)}` },
    ...(weak ? [{ text: `  weak proofs: ${weak}` }] : []),
    ...STANDINGS.flatMap((standing) => section(report, standing)),
    ...rest(report),
  ];
}

function section(report: Report, standing: Standing): ReportLine[] {
  const items = itemsOf(report, standing);
  if (items.length === 0) return [];
  const lines = standing === "done" ? items.flatMap(itemLines) : equalReasons(items).flatMap(groupLines);
  return [{ text: "" }, { text: STANDING_TITLES[standing], looks: "bold" }, ...lines];
}

const nameOf = ({ id, title }: ReportItem): string => `${id} ${shorten(printable(title), TITLE_CHARS)}`;

const headText = (item: ReportItem): string => `${nameOf(item)}: ${outcomeWords(item)} (${factWords(item).join(", ")})`;

function itemLines(item: ReportItem): ReportLine[] {
  const { why, weak, receipts } = item;
  const where = [item.next, ...(receipts[0] ? [`receipt ${receipts[0]}${more(receipts.length - 1)}`] : [])];
  return [
    { text: headText(item), item },
    ...(why ? [{ text: `    ${shorten(printable(why), WHY_CHARS)}` }] : []),
    ...(isWeak(item) && weak.length > 0
      ? [{ text: `    weak: ${shorten(printable(weak.join("; ")), WEAK_CHARS)}` }]
      : []),
    { text: `    ${printable(where.join(" · "))}`, looks: "dim" as const },
  ];
}

const more = (n: number): string => (n > 0 ? ` and ${n} more` : "");

const MOST_NEXT = 3;

/** The commands of the items, each once. */
const nextOf = (items: readonly ReportItem[]): string[] => [...new Set(items.map(({ next }) => next))];

/** Equal reasons once, after everything that has it. */
function groupLines({ why, items }: { why: string; items: ReportItem[] }): ReportLine[] {
  const [first] = items;
  if (!first || items.length === 1 || why === "") return items.flatMap(itemLines);
  return [
    ...items.map((item) => ({ text: headText(item), item })),
    { text: `    all ${items.length} for the same reason: ${shorten(printable(why), WHY_CHARS)}` },
    { text: `    ${printable(firstOf(nextOf(items), MOST_NEXT).join(" · "))}`, looks: "dim" },
  ];
}

const rest = (report: Report): ReportLine[] => {
  const words = restWords(report);
  return words.length > 0 ? [{ text: "" }, ...words.map((text) => ({ text, looks: "dim" as const }))] : [];
};
