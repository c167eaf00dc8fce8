import { columnChart } from "../chart/columns.ts";
import { type Measure, measureFor } from "./amounts.ts";
import type { Figure } from "./figure.ts";
import type { Stats } from "./stats.ts";

const DAY_MS = 86_400_000;
const MOST_COLUMNS = 45;

export interface DayColumns {
  title: string;
  about: string;
  columns: readonly { name: string; value: number }[];
  measure: Measure;
}

/** Usage over time: a column for each day, or for several; null if all of it was on one day. */
export function dayColumns({ days, totals }: Pick<Stats, "days" | "totals">): DayColumns | null {
  const measure = measureFor(totals);
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined || first === last) return null;
  const start = dayNumber(first);
  const span = dayNumber(last) - start + 1;
  const step = [1, 7, 28, 91].find((one) => span / one <= MOST_COLUMNS) ?? Math.ceil(span / MOST_COLUMNS);
  const values = Array.from({ length: Math.ceil(span / step) }, () => 0);
  for (const day of days) {
    const place = Math.floor((dayNumber(day.day) - start) / step);
    values[place] = (values[place] ?? 0) + measure.of(day);
  }
  const columns = values.map((value, i) => ({ name: dayName(start + i * step), value }));
  const what = { cost: "Cost", tokens: "Tokens", time: "Working time" }[measure.is];
  const about = step === 1 ? "By day, in UTC." : `By ${step} days, each labelled with its first day, in UTC.`;
  return { title: `${what} over time`, about, columns, measure };
}

/** The same as a figure; empty if all of it was on one day. */
export function daysFigure(stats: Stats, width: number): Figure[] {
  const found = dayColumns(stats);
  if (!found) return [];
  const { title, about, columns, measure } = found;
  const drawing = columnChart(columns, { width, height: 110, series: 0, words: measure.words });
  return [{ title, about, drawing }];
}

const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS);
const dayName = (number: number): string => new Date(number * DAY_MS).toISOString().slice(5, 10);
