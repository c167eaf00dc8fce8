import { htmlPage } from "../chart/html-page.ts";
import { pictureOf, STYLE } from "../chart/picture.ts";
import { escaped } from "../chart/svg.ts";
import { shorten } from "../excerpt.ts";
import { CHART_WIDTH } from "./figure.ts";
import { figuresOf } from "./figures.ts";
import { descriptionOf, SHEET_TITLE, type SheetWords } from "./sheet.ts";
import type { Stats } from "./stats.ts";
import { type StatsTable, statsTables } from "./tables.ts";

const PAGE_STYLE = `
figure{margin:14px 0 0;overflow-x:auto}figure svg{display:block;max-width:100%;height:auto}
details{margin-top:8px}summary{cursor:pointer;color:#5d6878}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin-top:8px}
th,td{padding:4px 14px 4px 0;text-align:left;border-bottom:1px solid #dde2e9;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
@media (prefers-color-scheme:dark){summary{color:#9aa5b4}th,td{border-color:#2d3540}}
`;

/** The same charts as an HTML page, with the numbers in tables: nothing is loaded, no script runs. */
export function htmlOf(stats: Stats, { scope, made }: SheetWords): string {
  const figures = figuresOf(stats, { whole: CHART_WIDTH, half: CHART_WIDTH }).map(({ title, about, drawing }, i) =>
    [
      `<section><h2>${escaped(title)}</h2>`,
      ...(about ? [`<p>${escaped(about)}</p>`] : []),
      `<figure>${pictureOf(drawing, { title, description: about || descriptionOf(stats) }, `f${i}`)}</figure></section>`,
    ].join("\n"),
  );
  const numbers = ["<section><h2>The numbers</h2>", ...statsTables(stats).map(tableHtml), "</section>"];
  const body = [`<p>${escaped(scope)}</p>`, ...figures, ...numbers];
  return htmlPage({ title: SHEET_TITLE, style: `${STYLE}${PAGE_STYLE}`, body, made });
}

const MOST_ROWS = 500;
const CELL_CHARS = 120;

function tableHtml({ title, heads, rows, numbers }: StatsTable): string {
  const isNumber = (column: number) => (numbers.includes(column) ? ' class="n"' : "");
  const head = heads.map((name, i) => `<th scope="col"${isNumber(i)}>${escaped(name)}</th>`).join("");
  const body = rows
    .slice(0, MOST_ROWS)
    .map(
      (row) =>
        `<tr>${row.map((cell, i) => `<td${isNumber(i)}>${escaped(shorten(cell, CELL_CHARS))}</td>`).join("")}</tr>`,
    );
  const rest = rows.length > MOST_ROWS ? `<p>${rows.length - MOST_ROWS} more are left out here.</p>` : "";
  return `<details${rows.length <= 12 ? " open" : ""}><summary>${escaped(title)}</summary><div class="wide"><table><thead><tr>${head}</tr></thead>\n<tbody>${body.join("\n")}</tbody></table></div>${rest}</details>`;
}
