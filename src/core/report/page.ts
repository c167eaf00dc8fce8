import { htmlPage } from "../chart/html-page.ts";
import { escaped } from "../chart/svg.ts";
import { counted, shorten } from "../excerpt.ts";
import { equalReasons } from "./equal-reasons.ts";
import { isWeak, itemsOf, type Report, type ReportItem, STANDING_TITLES, STANDINGS } from "./report.ts";
import {
  changeWords,
  countWords,
  factWords,
  outcomeWords,
  restWords,
  timeSpan,
  totalWords,
  weakSummary,
} from "./words.ts";

const STYLE = `
ul{list-style:none;margin:8px 0 0;padding:0}li{padding:10px 0;border-top:1px solid #dde2e9}
li p{margin:4px 0 0}li strong{margin-right:8px}
.tag{display:inline-block;padding:0 8px;border-radius:10px;font-size:13px;border:1px solid currentColor}
.verified{color:#1a7f4b}.judged{color:#0b7285}.still-green{color:#8a6100}.promise-only{color:#9c36b5}
.blocked{color:#c92a2a}.waiting{color:#8a6100}.running{color:#1864ab}
code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){li{border-color:#2d3540}
.verified{color:#51cf8a}.judged{color:#3bc9db}.still-green{color:#f0b429}.promise-only{color:#da77f2}
.blocked{color:#ff8787}.waiting{color:#f0b429}.running{color:#74c0fc}}
`;

const TEXT_CHARS = 1_000;
const MOST_RECEIPTS = 10;

/** The report as one file: nothing is loaded, no script runs, everything by others is escaped. */
export function pageReport(report: Report, { clock, made }: { clock: (ms: number) => string; made: string }): string {
  const weak = weakSummary(report);
  const rest = restWords(report);
  return htmlPage({
    title: "Ralph report",
    style: STYLE,
    body: [
      `<p>${escaped(timeSpan(report, clock))}</p>`,
      `<p><strong>${escaped(countWords(report))}</strong></p>`,
      `<p>${escaped(totalWords(report))}${weak ? `<br>Weak proofs: ${escaped(weak)}` : ""}</p>`,
      ...STANDINGS.flatMap((standing) => {
        const items = itemsOf(report, standing);
        const groups = standing === "done" ? items.map((item) => [item]) : equalReasons(items).map((one) => one.items);
        if (items.length === 0) return [];
        return [`<section><h2>${STANDING_TITLES[standing]}</h2>\n<ul>`, ...groups.map(groupHtml), "</ul></section>"];
      }),
      ...(rest.length > 0
        ? [`<section><h2>Also open</h2>\n<ul>`, ...rest.map((words) => `<li>${escaped(words)}</li>`), "</ul></section>"]
        : []),
    ],
    made,
  });
}

function groupHtml(items: readonly ReportItem[]): string {
  const [first] = items;
  if (!first) return "";
  if (items.length === 1 || first.why === "") return items.map(itemHtml).join("\n");
  const heads = items.map((item) => `<div>${headHtml(item)} ${factsHtml(item)}</div>`).join("");
  return `<li>${heads}<p>${counted(items.length, first.kind)} for the same reason: ${text(first.why)}</p>${nextHtml(first)}</li>`;
}

const factsHtml = (item: ReportItem): string =>
  `${text(factWords({ ...item, changes: null }).join(", "))}${item.changes ? ` · ${text(changeWords(item.changes))}` : ""}`;

const itemHtml = (item: ReportItem): string =>
  `<li>${[
    headHtml(item),
    `<p>${factsHtml(item)}</p>`,
    ...(item.why ? [`<p>${text(item.why)}</p>`] : []),
    ...(isWeak(item) && item.weak.length > 0 ? [`<p class="still-green">weak: ${text(item.weak.join("; "))}</p>`] : []),
    ...(item.merged ? [`<p>merged as <code>${text(item.merged)}</code></p>`] : []),
    nextHtml(item),
    ...receiptsHtml(item.receipts),
  ].join("")}</li>`;

const headHtml = ({ id, title, ...item }: ReportItem): string =>
  `<strong>${text(id)}</strong>${text(title)} <span class="tag ${item.standing === "done" ? (item.proof ?? "") : item.standing}">${text(outcomeWords({ ...item, id, title }))}</span>`;

const nextHtml = ({ next }: ReportItem): string => `<p><code>${text(next)}</code></p>`;

function receiptsHtml(receipts: readonly string[]): string[] {
  if (receipts.length === 0) return [];
  const more = receipts.length > MOST_RECEIPTS ? ` and ${receipts.length - MOST_RECEIPTS} more` : "";
  const named = receipts.slice(0, MOST_RECEIPTS).map((path) => `<code>${text(path)}</code>`);
  return [`<p>receipts: ${named.join(", ")}${more}</p>`];
}

const text = (words: string): string => escaped(shorten(words, TEXT_CHARS));
