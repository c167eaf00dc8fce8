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
import { CHART_WIDTH, type Figure, seriesOf } from "./figure.ts";
import { levelSeries, proofFigure } from "./proof-figure.ts";
import { STATS_PLACES, type StageStats, type Stats } from "./stats.ts";
import { shareAccepted } from "./sums.ts";
import { taskBars } from "./task-bars.ts";
import { percent, reasonLabel, statsPlaceWords } from "./words.ts";

const MOST_REASONS = 20;
const PANEL_GAP = 26;

export function figuresOf(stats: Stats): Figure[] {
  return [
    { title: "In all", about: "", drawing: tilesOf(tiles(stats), CHART_WIDTH) },
    proofFigure(stats),
    completionFigure(stats),
    costFigure(stats),
    reasonsFigure(stats),
    stopsFigure(stats),
    ...daysFigure(stats),
  ];
}

export const headed = ({ title, about, drawing }: Figure): Drawing =>
  stacked([heading(title, about, CHART_WIDTH), drawing], 4);

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

function completionFigure({ stages }: Stats): Figure {
  const title = "Iterations to completion";
  const done = stages.filter(({ toCompletion }) => toCompletion !== null);
  if (done.length === 0) return { title, about: "", drawing: emptyBox("No loop has been completed yet.", CHART_WIDTH) };
  const bins = binsUpTo(Math.max(...done.map(({ toCompletion }) => toCompletion?.max ?? 0)));
  // Four make a square.
  const inRow = done.length <= 2 || done.length === 4 ? 2 : 3;
  const wide = (CHART_WIDTH - PANEL_GAP * (inRow - 1)) / inRow;
  const panels = done.map((stage) => panel(stage, bins, wide));
  const about =
    "How many iterations the completed loops needed, at any level of proof; the numbers on the columns are loops.";
  return { title, about, drawing: gridOf(panels, inRow, PANEL_GAP) };
}

function panel({ place, toCompletion }: StageStats, bins: ReturnType<typeof binsUpTo>, width: number): Drawing {
  const columns = bins.map((bin) => ({ name: binName(bin), value: toCompletion ? inBin(toCompletion, bin) : 0 }));
  const chart = columnChart(columns, { width, height: 120, series: seriesOf(place), words: String, whole: true });
  const spread = `median ${toCompletion?.median}, 90 % within ${toCompletion?.p90}`;
  const caption: Drawing = {
    width,
    height: 18,
    draw: ({ x, y }) =>
      textAt({ x, y: y + 12 }, statsPlaceWords(place), { look: "bold" }) +
      textAt({ x: x + width, y: y + 12 }, fitText(spread, width - 80, 11), { size: 11, look: "soft", anchor: "end" }),
  };
  return stacked([caption, chart], 2);
}

const MEASURES = {
  cost: ["Cost", "In dollars, as the agents report them."],
  tokens: ["Tokens", "No agent has reported its cost, so these are tokens."],
  time: ["Working time", "No agent has reported tokens or cost, so this is working time."],
} as const;

function costFigure(stats: Stats): Figure {
  const measure = measureFor(stats.totals);
  const [what, about] = MEASURES[measure.is];
  const title = `${stats.totals.loops === 0 ? "Cost" : what} per ${stats.tasks.length > 0 || stats.own.length === 0 ? "task" : "loop"}`;
  const { bars, more } = taskBars(stats, measure);
  if (bars.length === 0) return { title, about: "", drawing: emptyBox("No loop has cost anything yet.", CHART_WIDTH) };
  const used = STATS_PLACES.filter((place) =>
    bars.some(({ pieces }) => pieces.some((p) => p.series === seriesOf(place) && p.value > 0)),
  );
  const names = used.map((place) => ({ name: statsPlaceWords(place), series: seriesOf(place) }));
  const legend = used.length > 1 ? [legendOf(names, CHART_WIDTH)] : [];
  const chart = barsOf(bars, { width: CHART_WIDTH, words: measure.words, whole: measure.is === "tokens" });
  return { title, about: [about, more].filter(Boolean).join(" "), drawing: stacked([...legend, chart], 4) };
}

function reasonsFigure({ reasons, totals }: Stats): Figure {
  const title = "Why claims were refused";
  if (reasons.length === 0) {
    const words = totals.claims.accepted > 0 ? "No claim was refused." : "No claim has been judged yet.";
    return { title, about: "", drawing: emptyBox(words, CHART_WIDTH) };
  }
  const shown = reasons.slice(0, MOST_REASONS).map((reason): Bar => {
    const { kind, name } = reasonLabel(reason);
    return { name: kind, about: name, pieces: [{ series: 4, value: reason.times }] };
  });
  const rest = reasons.slice(MOST_REASONS).reduce((sum, { times }) => sum + times, 0);
  const others: Bar[] = rest > 0 ? [{ name: "others", pieces: [{ series: 5, value: rest }] }] : [];
  const { refused } = totals.claims;
  const about = `${counted(refused, "claim")} that a loop without proof would have taken for done. A claim can have several reasons.`;
  return { title, about, drawing: countBars([...shown, ...others]) };
}

function stopsFigure({ stops }: Stats): Figure {
  const title = "How loops stopped";
  if (stops.length === 0) return { title, about: "", drawing: emptyBox("No loop has stopped yet.", CHART_WIDTH) };
  const bars = stops.map(
    ({ reason, loops }): Bar => ({
      name: reason,
      pieces: [{ series: isLevel(reason) ? levelSeries(reason) : 5, value: loops }],
    }),
  );
  return { title, about: "", drawing: countBars(bars) };
}

const countBars = (bars: readonly Bar[]): Drawing =>
  barsOf(bars, { width: CHART_WIDTH, words: (value) => String(Math.round(value)), whole: true });
