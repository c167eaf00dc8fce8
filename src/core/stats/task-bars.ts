import type { Bar } from "../chart/bars.ts";
import { counted } from "../excerpt.ts";
import { type Measure, measureFor } from "./amounts.ts";
import { seriesOf } from "./figure.ts";
import { STATS_PLACES, type StageShare, type Stats, type StatsPlace, sharesTogether } from "./stats.ts";

/** The maximum number of bars; the smallest are combined into one. */
const MOST_BARS = 40;

interface Source {
  name: string;
  about: string;
  stages: Partial<Record<StatsPlace, StageShare>>;
}

/** A bar per task with its stages, most expensive first; other loops share a bar. Without tasks, a bar per loop. */
export function taskBars(stats: Stats, measure: Measure): { bars: Bar[]; more: string } {
  const sources = sourcesOf(stats);
  const bars = sources
    .map(({ stages, ...words }): Bar => ({ ...words, pieces: piecesOf(stages, measure) }))
    .filter(({ pieces }) => pieces.length > 0)
    .sort((a, b) => sumOf(b) - sumOf(a));
  const rest = bars.splice(MOST_BARS);
  const together = rest.reduce((sum, bar) => sum + sumOf(bar), 0);
  const what = stats.tasks.length > 0 ? "task" : "loop";
  const silent = sources.length - bars.length - rest.length;
  const words = [
    // Not as a bar: it would dwarf the others.
    ...(rest.length > 0
      ? [`The ${MOST_BARS} that took most; ${rest.length} more took ${measure.words(together)} together.`]
      : []),
    ...(silent > 0 && measure.is === "cost" ? [`${counted(silent, what)} without a known cost left out.`] : []),
  ];
  return { bars, more: words.join(" ") };
}

function sourcesOf({ tasks, own }: Stats): Source[] {
  const ofTasks = tasks.map(({ task, facts, stages }) => ({ name: task, about: facts?.title ?? "", stages }));
  if (tasks.length === 0) return own.map((loop) => ({ name: loop.loop, about: loop.title, stages: { own: loop } }));
  if (own.length === 0) return ofTasks;
  return [...ofTasks, { name: "own loops", about: `(${own.length})`, stages: { own: sharesTogether(own) } }];
}

const piecesOf = (stages: Source["stages"], measure: Measure): Bar["pieces"] =>
  STATS_PLACES.map((place) => ({
    series: seriesOf(place),
    value: stages[place] ? measure.of(stages[place]) : 0,
  })).filter(({ value }) => value > 0);

const sumOf = ({ pieces }: Bar): number => pieces.reduce((sum, { value }) => sum + value, 0);

const MEASURES = {
  cost: ["Cost", "In dollars, as the agents report them."],
  tokens: ["Tokens", "No agent has reported its cost, so these are tokens."],
  time: ["Working time", "No agent has reported tokens or cost, so this is working time."],
} as const;

/** What the bars show. */
export function costWords(stats: Stats): { title: string; about: string } {
  const [what, about] = MEASURES[measureFor(stats.totals).is];
  const per = stats.tasks.length > 0 || stats.own.length === 0 ? "task" : "loop";
  return { title: `${stats.totals.loops === 0 ? "Cost" : what} per ${per}`, about };
}
