import { type Bar, barsOf } from "../chart/bars.ts";
import { columnChart } from "../chart/columns.ts";
import { emptyBox, gridOf, heading, legendOf, tilesOf } from "../chart/parts.ts";
import { type Drawing, fitText, stacked, textAt } from "../chart/svg.ts";
import { timeWords } from "../duration.ts";
import { counted } from "../excerpt.ts";
import { isLevel } from "../proof/level.ts";
import { dollars } from "../usage.ts";
import { compact, measureFor } from "./amounts.ts";
import { binName, binsUpTo, inBin } from "./bins.ts";
import { daysFigure } from "./days.ts";
import { type Figure, type FigureWidths, seriesOf } from "./figure.ts";
import { levelSeries, proofFigure } from "./proof-figure.ts";
import { STATS_PLACES, type StageStats, type Stats } from "./stats.ts";
import { shareAccepted } from "./sums.ts";
import { taskBars } from "./task-bars.ts";
import { percent, reasonLabel, statsPlaceWords } from "./words.ts";

const MOST_REASONS = 7;
const PANEL_GAP = 26;

export function figuresOf(stats: Stats, { whole, half }: FigureWidths): Figure[] {
  return [
    { title: "In all", about: "", drawing: tilesOf(tiles(stats), whole) },
    proofFigure(stats, half),
    stopsFigure(stats, half),
    completionFigure(stats, whole),
    costFigure(stats, half),
    reasonsFigure(stats, half),
    ...daysFigure(stats, whole),
  ];
}

export const headed = ({ title, about, drawing }: Figure): Drawing =>
  stacked([heading(title, about, drawing.width), drawing], 4);

function tiles({ totals, tasks }: Stats) {
  const done = tasks.filter(({ facts }) => facts?.status === "done").length;
  const spent = totals.costUsd > 0 ? dollars(totals.costUsd) : compact(totals.tokens);
  return [
    tasks.length > 0
      ? { value: `${done} / ${tasks.length}`, name: "tasks done" }
      : { value: String(totals.iterations), name: "iterations" },
    { value: `${totals.verified} / ${totals.loops - totals.finished}`, name: "loops verified" },
    { value: percent(shareAccepted(totals.firstClaims)), name: "accepted at once" },
    { value: String(totals.claims.refused), name: "claims refused" },
    { value: spent, name: totals.costUsd > 0 ? "spent" : "tokens" },
    { value: timeWords(totals.workMs), name: "of work" },
  ];
}

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

const MEASURES = {
  cost: ["Cost", "In dollars, as the agents report them."],
  tokens: ["Tokens", "No agent has reported its cost, so these are tokens."],
  time: ["Working time", "No agent has reported tokens or cost, so this is working time."],
} as const;

function costFigure(stats: Stats, width: number): Figure {
  const measure = measureFor(stats.totals);
  const [what, about] = MEASURES[measure.is];
  const title = `${stats.totals.loops === 0 ? "Cost" : what} per ${stats.tasks.length > 0 || stats.own.length === 0 ? "task" : "loop"}`;
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

function reasonsFigure({ reasons, totals }: Stats, width: number): Figure {
  const title = "Why claims were refused";
  if (reasons.length === 0) {
    const words = totals.claims.accepted > 0 ? "No claim was refused." : "No claim has been judged yet.";
    return { title, about: "", drawing: emptyBox(words, width) };
  }
  const shown = reasons.slice(0, MOST_REASONS).map((reason): Bar => {
    const { kind, name } = reasonLabel(reason);
    return { name: name || kind, pieces: [{ series: 4, value: reason.times }] };
  });
  const rest = reasons.slice(MOST_REASONS).reduce((sum, { times }) => sum + times, 0);
  const others: Bar[] = rest > 0 ? [{ name: "others", pieces: [{ series: 5, value: rest }] }] : [];
  const { refused } = totals.claims;
  const about = `${counted(refused, "claim")} that a loop without proof would have taken for done. A claim can have several reasons.`;
  return { title, about, drawing: countBars([...shown, ...others], width) };
}

function stopsFigure({ stops }: Stats, width: number): Figure {
  const title = "How loops stopped";
  if (stops.length === 0) return { title, about: "", drawing: emptyBox("No loop has stopped yet.", width) };
  const bars = stops.map(
    ({ reason, loops }): Bar => ({
      name: reason,
      pieces: [{ series: isLevel(reason) ? levelSeries(reason) : 5, value: loops }],
    }),
  );
  return { title, about: "", drawing: countBars(bars, width) };
}

const countBars = (bars: readonly Bar[], width: number): Drawing =>
  barsOf(bars, { width, words: (value) => String(Math.round(value)), whole: true });
