import type { Bar } from "../chart/bars.ts";
import { seriesOf } from "./figure.ts";
import type { Measure } from "./measure.ts";
import { sharesTogether } from "./share.ts";
import { STATS_PLACES, type StageShare, type Stats, type StatsPlace } from "./stats.ts";
import { counted } from "./words.ts";

/** So many bars can be taken in; what took less comes together. */
const MOST_BARS = 40;

interface Source {
  name: string;
  about: string;
  stages: Partial<Record<StatsPlace, StageShare>>;
}

/** A bar for each task with its stages, what took most first; own loops come together, or each alone where there is no task. */
export function taskBars(stats: Stats, measure: Measure): { bars: Bar[]; more: string } {
  const sources = sourcesOf(stats);
  const valued = sources
    .map((source) => ({ source, pieces: piecesOf([source], measure) }))
    .filter(({ pieces }) => pieces.length > 0)
    .sort((a, b) => sumOf(b.pieces) - sumOf(a.pieces));
  const [shown, rest] = [valued.slice(0, MOST_BARS), valued.slice(MOST_BARS)];
  const bars = shown.map(({ source: { name, about }, pieces }): Bar => ({ name, about, pieces }));
  const all = piecesOf(
    rest.map(({ source }) => source),
    measure,
  );
  const together: Bar[] = rest.length > 0 ? [{ name: `${rest.length} more`, about: "together", pieces: all }] : [];
  const silent = sources.length - valued.length;
  const what = stats.tasks.length > 0 ? "task" : "loop";
  const words = [
    ...(rest.length > 0 ? [`The ${MOST_BARS} that took most, and the rest together.`] : []),
    ...(silent > 0 && measure.is === "cost" ? [`${counted(silent, what)} without a cost left out.`] : []),
  ];
  return { bars: [...bars, ...together], more: words.join(" ") };
}

function sourcesOf({ tasks, own }: Stats): Source[] {
  const ofTasks = tasks.map(({ task, facts, stages }) => ({ name: task, about: facts?.title ?? "", stages }));
  if (tasks.length === 0) return own.map((loop) => ({ name: loop.loop, about: loop.title, stages: { own: loop } }));
  if (own.length === 0) return ofTasks;
  return [...ofTasks, { name: "own loops", about: `(${own.length})`, stages: { own: sharesTogether(own) } }];
}

function piecesOf(sources: readonly Source[], measure: Measure): Bar["pieces"] {
  return STATS_PLACES.map((place) => ({
    series: seriesOf(place),
    value: sources.reduce((sum, { stages }) => sum + (stages[place] ? measure.of(stages[place]) : 0), 0),
  })).filter(({ value }) => value > 0);
}

const sumOf = (pieces: Bar["pieces"]): number => pieces.reduce((sum, { value }) => sum + value, 0);
