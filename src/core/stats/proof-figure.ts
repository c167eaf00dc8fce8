import { type Bar, barsOf } from "../chart/bars.ts";
import { emptyBox, legendOf } from "../chart/parts.ts";
import { stacked } from "../chart/svg.ts";
import { LEVELS, type Level } from "../proof/level.ts";
import type { Figure } from "./figure.ts";
import type { Stats } from "./stats.ts";
import { completedIn } from "./sums.ts";
import { statsPlaceWords } from "./words.ts";

/** Colours like those on the terminal: green, blue, yellow, purple. */
const SERIES: Readonly<Record<Level, number>> = { verified: 2, judged: 0, "still-green": 1, "promise-only": 3 };

export const levelSeries = (level: Level): number => SERIES[level];

/** The proof levels of completed loops: a bar for each stage, a colour for each level. */
export function proofFigure({ stages }: Stats, width: number): Figure {
  const title = "What proves the completed loops";
  const done = stages.filter((stage) => completedIn(stage) > 0);
  if (done.length === 0) return { title, about: "", drawing: emptyBox("No loop has been completed yet.", width) };
  const bars = done.map(
    ({ place, levels }): Bar => ({
      name: statsPlaceWords(place),
      pieces: LEVELS.map((level) => ({ series: levelSeries(level), value: levels[level] })),
    }),
  );
  const names = LEVELS.map((level) => ({ name: level, series: levelSeries(level) }));
  const chart = barsOf(bars, { width, words: (value) => String(Math.round(value)), whole: true });
  const about = "Only verified means that a check failed before the work and passes now.";
  return { title, about, drawing: stacked([legendOf(names, width), chart], 4) };
}
