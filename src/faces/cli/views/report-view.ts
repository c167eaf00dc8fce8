import { LEVEL_WORDS } from "../../../core/proof/level.ts";
import { type ReportLine, reportLines } from "../../../core/report/lines.ts";
import type { Report, Standing } from "../../../core/report/report.ts";
import { clockTime } from "../../../core/view/clock.ts";
import { paint } from "../../terminal/paint.ts";
import { toned } from "./end-lines.ts";

/** The report as lines for a terminal. */
export const reportView = (report: Report): string[] => reportLines(report, clockTime).map(viewOf);

const MARKS: Readonly<Record<Standing, string>> = {
  done: paint("green", "✓"),
  blocked: paint("red", "■"),
  waiting: paint("yellow", "?"),
  running: paint("cyan", "…"),
};

function viewOf({ text, looks, item }: ReportLine): string {
  if (item)
    return `  ${item.proof && item.standing === "done" ? toned(item.proof, LEVEL_WORDS[item.proof].mark) : MARKS[item.standing]} ${text}`;
  if (looks !== "bold" && looks !== "dim") return text;
  // A line is wrapped by its indentation, which comes before its colour.
  const [indent = ""] = /^ */.exec(text) ?? [];
  return indent + paint(looks, text.slice(indent.length));
}
