import { pictureOf, STYLE } from "../chart/picture.ts";
import { escaped } from "../chart/svg.ts";
import { shorten } from "../excerpt.ts";
import { CHART_WIDTH } from "./figure.ts";
import { figuresOf } from "./figures.ts";
import { descriptionOf, SHEET_TITLE, type SheetWords } from "./sheet.ts";
import type { Stats } from "./stats.ts";
import { type StatsTable, statsTables } from "./tables.ts";

const PAGE_STYLE = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:24px 16px 48px;max-width:874px;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;background:#fff;color:#1f2733}
h1{font-size:24px;margin:0}h2{font-size:18px;margin:36px 0 4px}p{margin:0 0 8px;color:#5d6878}
figure{margin:14px 0 0;overflow-x:auto}figure svg{display:block;max-width:100%;height:auto}
details{margin-top:8px}summary{cursor:pointer;color:#5d6878}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin-top:8px}
th,td{padding:4px 14px 4px 0;text-align:left;border-bottom:1px solid #dde2e9;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
@media (prefers-color-scheme:dark){body{background:#12161c;color:#e6eaf0}p,summary{color:#9aa5b4}th,td{border-color:#2d3540}}
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
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Text by others could not run even if it got here unescaped.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${SHEET_TITLE}</title>`,
    `<style>${STYLE}${PAGE_STYLE}</style>\n</head>\n<body>`,
    `<h1>${SHEET_TITLE}</h1>`,
    `<p>${escaped(scope)}</p>`,
    ...figures,
    "<section><h2>The numbers</h2>",
    ...statsTables(stats).map(tableHtml),
    "</section>",
    `<p style="margin-top:36px">${escaped(made)}</p>`,
    "</body>\n</html>\n",
  ].join("\n");
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
