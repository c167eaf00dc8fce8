import type { StopReason } from "../loop/events.ts";
import { LOOP_ROLES, type LoopRole } from "../task/role.ts";
import type { TaskStatus } from "../task/task.ts";
import { type Amounts, addAmounts, NO_AMOUNTS } from "./amounts.ts";
import type { IterationReading } from "./reading.ts";
import type { Reason } from "./reason.ts";
import type { Sums } from "./sums.ts";

/** The group of a loop: a stage of tasks, merge conflicts, or no task. */
export type StatsPlace = LoopRole | "own";
export const STATS_PLACES: readonly StatsPlace[] = [...LOOP_ROLES, "own"];

export interface StageShare extends Amounts {
  loops: number;
  iterations: number;
}

export interface TaskFacts {
  title: string;
  spec: string;
  status: TaskStatus;
  /** From 1. */
  attempt: number;
  sentBack: number;
}

export interface TaskStats extends Sums {
  task: string;
  facts: TaskFacts | null;
  stages: Partial<Record<StatsPlace, StageShare>>;
}

export interface OwnLoop extends StageShare {
  loop: string;
  title: string;
  reason: StopReason | null;
}

/** How many iterations completed loops needed, at any proof level. */
export interface ToCompletion {
  counts: readonly { iterations: number; loops: number }[];
  median: number;
  p90: number;
  max: number;
}

export interface StageStats extends Sums {
  place: StatsPlace;
  /** Null if no loop was completed. */
  toCompletion: ToCompletion | null;
}

export interface IterationStats extends IterationReading {
  loop: string;
  task: string | null;
  place: StatsPlace;
}

/** Statistics of many loops. Every breakdown adds up to the totals. */
export interface Stats {
  totals: Sums;
  /** Most expensive first. */
  tasks: readonly TaskStats[];
  own: readonly OwnLoop[];
  stages: readonly StageStats[];
  /** Iterations of the newest loops. */
  iterations: readonly IterationStats[];
  iterationsLeftOut: number;
  /** Why claims were refused, the most frequent first; a claim can have several. */
  reasons: readonly (Reason & { times: number })[];
  stops: readonly { reason: StopReason; loops: number }[];
  /** By the day on which iterations started, in UTC, earliest first. */
  days: readonly ({ day: string } & Amounts)[];
}

export function sharesTogether(shares: Iterable<StageShare>): StageShare {
  const sum: StageShare = { loops: 0, iterations: 0, ...NO_AMOUNTS };
  for (const share of shares) {
    sum.loops += share.loops;
    sum.iterations += share.iterations;
    addAmounts(sum, share);
  }
  return sum;
}

export type Needed = Map<number, number>;

/** The distribution of iterations to completion; null if no loop was completed. */
export function toCompletion(needed: Needed): ToCompletion | null {
  const counts = [...needed].map(([iterations, loops]) => ({ iterations, loops })).sort(byIterations);
  const all = counts.reduce((sum, { loops }) => sum + loops, 0);
  if (all === 0) return null;
  const [median, p90, max] = [0.5, 0.9, 1].map((share) => quantile(counts, Math.ceil(share * all)));
  return { counts, median: median ?? 0, p90: p90 ?? 0, max: max ?? 0 };
}

const byIterations = (a: { iterations: number }, b: { iterations: number }): number => a.iterations - b.iterations;

/** The smallest number of iterations within which this share of the loops was completed. */
function quantile(counts: ToCompletion["counts"], rank: number): number {
  let seen = 0;
  for (const { iterations, loops } of counts) {
    seen += loops;
    if (seen >= rank) return iterations;
  }
  return 0;
}
