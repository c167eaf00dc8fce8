import { columnChart } from "../chart/columns.ts";
import { type Measure, measureFor } from "./amounts.ts";
import { CHART_WIDTH, type Figure } from "./figure.ts";
import type { Stats } from "./stats.ts";

const DAY_MS = 86_400_000;
const MOST_COLUMNS = 45;

/** What was spent when; nothing where it was all on one day. */
export function daysFigure({ days, totals }: Stats): Figure[] {
  const measure = measureFor(totals);
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined || first === last) return [];
  const span = dayNumber(last) - dayNumber(first) + 1;
  const step = [1, 7, 28, 91].find((one) => span / one <= MOST_COLUMNS) ?? Math.ceil(span / MOST_COLUMNS);
  const columns = columnsFrom({ days, first: dayNumber(first), count: Math.ceil(span / step), step, measure });
  const drawing = columnChart(columns, { width: CHART_WIDTH, height: 150, series: 0, words: measure.words });
  const what = { cost: "Cost", tokens: "Tokens", time: "Working time" }[measure.is];
  const about = step === 1 ? "By day, in UTC." : `By ${step} days, each named by its first one, in UTC.`;
  return [{ title: `${what} over time`, about, drawing }];
}

interface Spans {
  days: Stats["days"];
  first: number;
  count: number;
  step: number;
  measure: Measure;
}

function columnsFrom({ days, first, count, step, measure }: Spans) {
  const values = Array.from({ length: count }, () => 0);
  for (const day of days) {
    const place = Math.floor((dayNumber(day.day) - first) / step);
    values[place] = (values[place] ?? 0) + measure.of(day);
  }
  return values.map((value, i) => ({ name: dayName(first + i * step), value }));
}

const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS);
const dayName = (number: number): string => new Date(number * DAY_MS).toISOString().slice(5, 10);
