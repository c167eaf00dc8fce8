import type { Bar } from "../chart/bars.ts";
import { counted } from "../excerpt.ts";
import { isLevel, LEVELS, type Level } from "../proof/level.ts";
import type { Stats } from "./stats.ts";
import { completedIn } from "./sums.ts";
import { reasonLabel, statsPlaceWords } from "./words.ts";

/** Bars that count something, and what is shown instead if there are none. */
export interface CountBars {
  title: string;
  about: string;
  bars: readonly Bar[];
  empty: string;
}

/** Colours like those on the terminal: green, blue, yellow, purple. */
const SERIES: Readonly<Record<Level, number>> = { verified: 2, judged: 0, "still-green": 1, "promise-only": 3 };

export const levelSeries = (level: Level): number => SERIES[level];

/** The proof levels of completed loops: a bar for each stage, a colour for each level. */
export function levelBars({ stages }: Pick<Stats, "stages">): CountBars {
  const bars = stages
    .filter((stage) => completedIn(stage) > 0)
    .map(
      ({ place, levels }): Bar => ({
        name: statsPlaceWords(place),
        pieces: LEVELS.map((level) => ({ series: levelSeries(level), value: levels[level] })),
      }),
    );
  return {
    title: "What proves the completed loops",
    about: bars.length > 0 ? "Only verified means that a check failed before the work and passes now." : "",
    bars,
    empty: "No loop has been completed yet.",
  };
}

export const stopBars = ({ stops }: Pick<Stats, "stops">): CountBars => ({
  title: "How loops stopped",
  about: "",
  bars: stops.map(
    ({ reason, loops }): Bar => ({
      name: reason,
      pieces: [{ series: isLevel(reason) ? levelSeries(reason) : 5, value: loops }],
    }),
  ),
  empty: "No loop has stopped yet.",
});

const MOST_REASONS = 7;

export function reasonBars({ reasons, totals }: Pick<Stats, "reasons" | "totals">): CountBars {
  const shown = reasons.slice(0, MOST_REASONS).map((reason): Bar => {
    const { kind, name } = reasonLabel(reason);
    return { name: name || kind, pieces: [{ series: 4, value: reason.times }] };
  });
  const rest = reasons.slice(MOST_REASONS).reduce((sum, { times }) => sum + times, 0);
  const others: Bar[] = rest > 0 ? [{ name: "others", pieces: [{ series: 5, value: rest }] }] : [];
  const refused = counted(totals.claims.refused, "claim");
  return {
    title: "Why claims were refused",
    about:
      reasons.length > 0
        ? `${refused} that a loop without proof would have taken for done. A claim can have several reasons.`
        : "",
    bars: [...shown, ...others],
    empty: totals.claims.accepted > 0 ? "No claim was refused." : "No claim has been judged yet.",
  };
}
