import type { Drawing } from "../chart/svg.ts";
import { STATS_PLACES, type StatsPlace } from "./stats.ts";

export interface Figure {
  title: string;
  about: string;
  drawing: Drawing;
}

/** The widths of figures: those that need the whole line, and those of which two fit beside each other. */
export interface FigureWidths {
  whole: number;
  half: number;
}

export const CHART_WIDTH = 872;

export const seriesOf = (place: StatsPlace): number => STATS_PLACES.indexOf(place);
