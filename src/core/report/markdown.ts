import { printable } from "../ansi.ts";
import { counted, shorten } from "../excerpt.ts";
import { equalReasons } from "./equal-reasons.ts";
import { isWeak, itemsOf, type Report, type ReportItem, STANDING_TITLES, STANDINGS } from "./report.ts";
import { countWords, factWords, outcomeWords, restWords, timeSpan, totalWords, weakSummary } from "./words.ts";

const TEXT_CHARS = 400;

/** The report for an issue, a pull request or a chat. Text by others cannot become markup. */
export function markdownReport(report: Report, clock: (ms: number) => string): string {
  const weak = weakSummary(report);
  const rest = restWords(report).map((words) => `- ${plain(words)}`);
  return [
    "# Ralph report",
    "",
    `${plain(`${timeSpan(report, clock)}: ${countWords(report)}`)}. ${plain(totalWords(report))}.${weak ? ` Weak proofs: ${plain(weak)}.` : ""}`,
    ...STANDINGS.flatMap((standing) => {
      const items = itemsOf(report, standing);
      if (items.length === 0) return [];
      const groups =
        standing === "done" ? items.map((item) => ({ why: item.why, items: [item] })) : equalReasons(items);
      return ["", `## ${STANDING_TITLES[standing]}`, "", ...groups.flatMap(groupLines)];
    }),
    ...(rest.length > 0 ? ["", "## Also open", "", ...rest] : []),
    "",
  ].join("\n");
}

function groupLines({ why, items }: { why: string; items: ReportItem[] }): string[] {
  const [first] = items;
  if (!first) return [];
  if (items.length === 1 || why === "") return items.flatMap(itemLines);
  return [
    ...items.map(headLine),
    `  - ${counted(items.length, first.kind)} for the same reason: ${plain(why)}`,
    `  - ${code(first.next)}`,
  ];
}

const headLine = (item: ReportItem): string =>
  `- **${plain(item.id)}** ${plain(item.title)}: ${plain(outcomeWords(item))} (${plain(factWords(item).join(", "))})`;

const itemLines = (item: ReportItem): string[] => [
  headLine(item),
  ...(item.why ? [`  - ${plain(item.why)}`] : []),
  ...(isWeak(item) && item.weak.length > 0 ? [`  - weak: ${plain(item.weak.join("; "))}`] : []),
  `  - ${[code(item.next), ...item.receipts.slice(0, 1).map((path) => `receipt ${code(path)}`)].join(" · ")}`,
];

/** On one line, with everything escaped that Markdown or a mention could read. */
const plain = (text: string): string =>
  shorten(printable(text), TEXT_CHARS)
    .replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&")
    .replace(/@(?=\w)/g, "@\u200b");

/** A code span: a backtick would end it. */
const code = (text: string): string => `\`${shorten(printable(text), TEXT_CHARS).replaceAll("`", "'")}\``;
