import type { Drawing } from "../chart/svg.ts";
import { STATS_PLACES, type StatsPlace } from "./stats.ts";

export interface Figure {
  title: string;
  about: string;
  drawing: Drawing;
}

export const CHART_WIDTH = 872;

export const seriesOf = (place: StatsPlace): number => STATS_PLACES.indexOf(place);
