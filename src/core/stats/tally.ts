import type { StopReason } from "../loop/events.ts";
import { iterationsDone, type LoopState } from "../loop/state.ts";
import type { LoopSummary } from "../loop/store.ts";
import { isLevel } from "../proof/level.ts";
import { type Amounts, addAmounts, NO_AMOUNTS } from "./amounts.ts";
import type { IterationReading } from "./reading.ts";
import type { Reason } from "./reason.ts";
import {
  type IterationStats,
  type Needed,
  type OwnLoop,
  STATS_PLACES,
  type StageShare,
  type StageStats,
  type Stats,
  type StatsPlace,
  sharesTogether,
  type TaskFacts,
  type TaskStats,
  toCompletion,
} from "./stats.ts";
import { addIteration, claimKind, noSums, type Sums } from "./sums.ts";

/** The maximum number of iterations kept individually; the others are only added up. */
export const MOST_ITERATIONS = 1_000;
const MOST_REASONS = 1_000;

type LoopHead = Pick<LoopSummary, "id" | "title" | "part">;

interface LoopTally {
  iteration(iteration: IterationReading): void;
  end(state: LoopState): void;
}

/** Adds up loops, newest first, and keeps only sums. */
interface Tally {
  loop(head: LoopHead): LoopTally;
  stats(facts: (task: string) => TaskFacts | null): Stats;
}

interface StageSums {
  sums: Sums;
  needed: Needed;
}

interface TaskSums {
  sums: Sums;
  stages: TaskStats["stages"];
}

interface Kept {
  totals: Sums;
  tasks: Map<string, TaskSums>;
  own: OwnLoop[];
  stages: Map<StatsPlace, StageSums>;
  iterations: IterationStats[];
  iterationsLeftOut: number;
  reasons: Map<string, Reason & { times: number }>;
  stops: Map<StopReason, number>;
  days: Map<string, Amounts>;
}

export function tally(): Tally {
  const kept: Kept = {
    totals: noSums(),
    tasks: new Map(),
    own: [],
    stages: new Map(),
    iterations: [],
    iterationsLeftOut: 0,
    reasons: new Map(),
    stops: new Map(),
    days: new Map(),
  };
  return { loop: (head) => loopTally(kept, head), stats: (facts) => statsOf(kept, facts) };
}

function loopTally(kept: Kept, { id, title, part }: LoopHead): LoopTally {
  const place: StatsPlace = part?.place ?? "own";
  const stage = got(kept.stages, place, () => ({ sums: noSums(), needed: new Map() }));
  const share: StageShare = { loops: 1, iterations: 0, ...NO_AMOUNTS };
  const task = part ? got(kept.tasks, part.task, (): TaskSums => ({ sums: noSums(), stages: {} })) : null;
  const all = [kept.totals, stage.sums, ...(task ? [task.sums] : [])];
  let claimed = false;
  return {
    iteration(reading) {
      for (const sums of all) addIteration(sums, reading);
      addAmounts(share, reading);
      addAmounts(
        got(kept.days, dayOf(reading.beganAtMs), () => ({ ...NO_AMOUNTS })),
        reading,
      );
      for (const reason of reading.reasons) addReason(kept.reasons, reason);
      if (reading.done) share.iterations += 1;
      if (reading.n > 0) keep(kept, { ...reading, loop: id, task: part?.task ?? null, place });
      const claim = claimKind(reading);
      if (claim && !claimed) for (const sums of all) sums.firstClaims[claim] += 1;
      claimed ||= claim !== null;
    },
    end(state) {
      const reason = state.stopped?.reason ?? null;
      for (const sums of all) addEnd(sums, reason);
      if (reason) kept.stops.set(reason, (kept.stops.get(reason) ?? 0) + 1);
      const n = iterationsDone(state);
      if (isLevel(reason)) stage.needed.set(n, (stage.needed.get(n) ?? 0) + 1);
      if (task) task.stages[place] = sharesTogether([task.stages[place] ?? [], share].flat());
      else kept.own.push({ loop: id, title, reason, ...share });
    },
  };
}

function addEnd(sums: Sums, reason: StopReason | null): void {
  sums.loops += 1;
  if (reason === null) sums.running += 1;
  if (reason === "verified") sums.verified += 1;
  if (isLevel(reason)) sums.levels[reason] += 1;
  if (reason === "finished") sums.finished += 1;
}

function keep(kept: Kept, iteration: IterationStats): void {
  if (kept.iterations.length < MOST_ITERATIONS) kept.iterations.push(iteration);
  else kept.iterationsLeftOut += 1;
}

function addReason(reasons: Kept["reasons"], { kind, name }: Reason): void {
  const key = `${kind} ${name}`;
  const full = reasons.size >= MOST_REASONS && !reasons.has(key);
  const counted: Reason = full ? { kind, name: "others" } : { kind, name };
  got(reasons, full ? `${kind} others` : key, () => ({ ...counted, times: 0 })).times += 1;
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

function got<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

function statsOf(kept: Kept, facts: (task: string) => TaskFacts | null): Stats {
  const tasks = [...kept.tasks].map(
    ([task, { sums, stages }]): TaskStats => ({ task, facts: facts(task), stages, ...sums }),
  );
  return {
    totals: kept.totals,
    tasks: tasks.sort((a, b) => byAmount(a, b) || a.task.localeCompare(b.task)),
    own: kept.own.sort(byAmount),
    stages: STATS_PLACES.flatMap((place) => stageOf(place, kept.stages.get(place))),
    iterations: kept.iterations,
    iterationsLeftOut: kept.iterationsLeftOut,
    reasons: [...kept.reasons.values()].sort((a, b) => b.times - a.times || a.name.localeCompare(b.name)),
    stops: [...kept.stops]
      .map(([reason, loops]) => ({ reason, loops }))
      .sort((a, b) => b.loops - a.loops || a.reason.localeCompare(b.reason)),
    days: [...kept.days].map(([day, amounts]) => ({ day, ...amounts })).sort((a, b) => a.day.localeCompare(b.day)),
  };
}

const stageOf = (place: StatsPlace, stage: StageSums | undefined): StageStats[] =>
  stage ? [{ place, toCompletion: toCompletion(stage.needed), ...stage.sums }] : [];

/** Most expensive first: by money, else tokens, else time. */
const byAmount = (a: Amounts, b: Amounts): number =>
  b.costUsd - a.costUsd || b.tokens - a.tokens || b.workMs - a.workMs;
