import type { ExecutionPulse } from "../pulse.ts";
import type { Card } from "./card.ts";
import { LANES, type Lane } from "./lanes.ts";
import type { LoopLine } from "./loop-line.ts";
import { type Totals, totalsOf } from "./totals.ts";

/** An execution that works now, with its slots. */
export interface ExecutionLine extends ExecutionPulse {
  id: string;
}

/** What every face shows: true for the feed up to `at`. */
export interface BoardView {
  at: number;
  /** In the order in which they are started. */
  cards: readonly Card[];
  executions: readonly ExecutionLine[];
  /** Loops that have not stopped, and the newest others; newest first. */
  loops: readonly LoopLine[];
  totals: Totals;
  /** What all loops have cost since midnight. */
  todayUsd: number;
}

/** Of a repository without tasks and loops. */
export const NO_VIEW: BoardView = {
  at: 0,
  cards: [],
  executions: [],
  loops: [],
  totals: totalsOf([], []),
  todayUsd: 0,
};

/** What has changed since an earlier view; `subjects` have new entries: `loop/ab12`, `task/T-1`, `run/…`, `message/…`. */
export interface BoardChange {
  at: number;
  cards: readonly Card[];
  /** Tasks that are gone. */
  gone: readonly string[];
  /** All ids in order; null: unchanged. */
  order: readonly string[] | null;
  /** Null: unchanged. */
  executions: readonly ExecutionLine[] | null;
  loops: readonly LoopLine[];
  totals: Totals | null;
  /** Null: unchanged. */
  todayUsd: number | null;
  subjects: readonly string[];
}

/** How many stopped loops a view has. */
export const MOST_LOOPS = 500;

/** The view after a change. What did not change keeps its identity. */
export function changed(view: BoardView, change: BoardChange): BoardView {
  const { at, order, executions, totals, todayUsd } = change;
  return {
    at,
    cards: order || change.cards.length > 0 || change.gone.length > 0 ? cardsAfter(view.cards, change) : view.cards,
    executions: executions ?? view.executions,
    loops: change.loops.length > 0 ? loopsAfter(view.loops, change.loops) : view.loops,
    totals: totals ?? view.totals,
    todayUsd: todayUsd ?? view.todayUsd,
  };
}

function cardsAfter(before: readonly Card[], { cards, gone, order }: BoardChange): readonly Card[] {
  const byId = new Map(before.map((card) => [card.id, card]));
  for (const card of cards) byId.set(card.id, card);
  for (const id of gone) byId.delete(id);
  return order ? order.flatMap((id) => byId.get(id) ?? []) : [...byId.values()];
}

function loopsAfter(before: readonly LoopLine[], loops: readonly LoopLine[]): readonly LoopLine[] {
  const byId = new Map(before.map((loop) => [loop.id, loop]));
  for (const loop of loops) byId.set(loop.id, loop);
  return boundedLoops([...byId.values()]);
}

/** Newest first; all that have not stopped, and at most `MOST_LOOPS`. */
function boundedLoops(loops: readonly LoopLine[]): LoopLine[] {
  const sorted = [...loops].sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1));
  let kept = 0;
  return sorted.filter(({ status }) => status !== "stopped" || kept++ < MOST_LOOPS);
}

export type Lanes = Readonly<Record<Lane, readonly Card[]>>;

/**
 * The cards of each lane, in its order: done ones by when they were finished, all others as they are started. Cancelled
 * ones are shown on request only, after the done ones.
 */
export function lanesOf(cards: readonly Card[], { cancelled = false } = {}): Lanes {
  const lanes = Object.fromEntries(LANES.map((lane) => [lane, [] as Card[]])) as Record<Lane, Card[]>;
  for (const card of cards) if (card.lane) lanes[card.lane].push(card);
  lanes.done.sort((a, b) => b.sinceMs - a.sinceMs);
  if (cancelled) lanes.done.push(...cards.filter(({ lane }) => lane === null));
  return lanes;
}
