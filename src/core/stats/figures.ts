import { barsOf } from "../chart/bars.ts";
import { columnChart } from "../chart/columns.ts";
import { emptyBox, gridOf, heading, legendOf, tilesOf } from "../chart/parts.ts";
import { type Drawing, fitText, stacked, textAt } from "../chart/svg.ts";
import { LEVELS } from "../proof/level.ts";
import { measureFor } from "./amounts.ts";
import { binName, binsUpTo, inBin } from "./bins.ts";
import { type CountBars, levelBars, levelSeries, reasonBars, stopBars } from "./count-bars.ts";
import { daysFigure } from "./days.ts";
import { type Figure, type FigureWidths, seriesOf } from "./figure.ts";
import { STATS_PLACES, type StageStats, type Stats } from "./stats.ts";
import { costWords, taskBars } from "./task-bars.ts";
import { tiles } from "./tiles.ts";
import { statsPlaceWords } from "./words.ts";

const PANEL_GAP = 26;

export function figuresOf(stats: Stats, { whole, half }: FigureWidths): Figure[] {
  return [
    { title: "In all", about: "", drawing: tilesOf(tiles(stats), whole) },
    countFigure(levelBars(stats), half, NAMES),
    countFigure(stopBars(stats), half),
    completionFigure(stats, whole),
    costFigure(stats, half),
    countFigure(reasonBars(stats), half),
    ...daysFigure(stats, whole),
  ];
}

export const headed = ({ title, about, drawing }: Figure): Drawing =>
  stacked([heading(title, about, drawing.width), drawing], 4);

function completionFigure({ stages }: Stats, width: number): Figure {
  const title = "Iterations to completion";
  const done = stages.filter(({ toCompletion }) => toCompletion !== null);
  if (done.length === 0) return { title, about: "", drawing: emptyBox("No loop has been completed yet.", width) };
  const bins = binsUpTo(Math.max(...done.map(({ toCompletion }) => toCompletion?.max ?? 0)));
  const inRow = Math.min(4, Math.max(2, done.length));
  const wide = (width - PANEL_GAP * (inRow - 1)) / inRow;
  const panels = done.map((stage) => panel(stage, bins, wide));
  const about =
    "How many iterations the completed loops needed, at any level of proof; the numbers on the columns are loops.";
  return { title, about, drawing: gridOf(panels, inRow, PANEL_GAP) };
}

function panel({ place, toCompletion }: StageStats, bins: ReturnType<typeof binsUpTo>, width: number): Drawing {
  const columns = bins.map((bin) => ({ name: binName(bin), value: toCompletion ? inBin(toCompletion, bin) : 0 }));
  const chart = columnChart(columns, { width, height: 84, series: seriesOf(place), words: String, whole: true });
  const spread = `median ${toCompletion?.median}, 90 % within ${toCompletion?.p90}`;
  const caption: Drawing = {
    width,
    height: 34,
    draw: ({ x, y }) =>
      textAt({ x, y: y + 12 }, statsPlaceWords(place), { look: "bold" }) +
      textAt({ x, y: y + 28 }, fitText(spread, width, 11), { size: 11, look: "soft" }),
  };
  return stacked([caption, chart], 2);
}

function costFigure(stats: Stats, width: number): Figure {
  const measure = measureFor(stats.totals);
  const { title, about } = costWords(stats);
  const { bars, more } = taskBars(stats, measure);
  if (bars.length === 0) return { title, about: "", drawing: emptyBox("No loop has cost anything yet.", width) };
  const used = STATS_PLACES.filter((place) =>
    bars.some(({ pieces }) => pieces.some((p) => p.series === seriesOf(place) && p.value > 0)),
  );
  const names = used.map((place) => ({ name: statsPlaceWords(place), series: seriesOf(place) }));
  const legend = used.length > 1 ? [legendOf(names, width)] : [];
  const chart = barsOf(bars, { width, words: measure.words, whole: measure.is === "tokens" });
  return { title, about: [about, more].filter(Boolean).join(" "), drawing: stacked([...legend, chart], 4) };
}

const NAMES = LEVELS.map((level) => ({ name: level, series: levelSeries(level) }));

function countFigure({ title, about, bars, empty }: CountBars, width: number, names: typeof NAMES = []): Figure {
  if (bars.length === 0) return { title, about, drawing: emptyBox(empty, width) };
  const chart = barsOf(bars, { width, words: (value) => String(Math.round(value)), whole: true });
  const drawing = names.length > 0 ? stacked([legendOf(names, width), chart], 4) : chart;
  return { title, about, drawing };
}
