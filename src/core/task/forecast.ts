import type { LoopSummary } from "../loop/store.ts";
import type { AgentRole } from "./role.ts";
import type { TaskLimits } from "./work.ts";

/** What a task has left to do. */
export interface TaskAhead {
  /** Each of its stages, with the maximum number of iterations of one loop. */
  stages: readonly { place: AgentRole; maxIterations: number }[];
  /** The stages that this round still needs. */
  left: readonly AgentRole[];
  /** The current attempt, from 1, and how often the task was sent back in it. */
  attempt: number;
  rounds: number;
}

/** How often agents are started, and what that may cost. */
export interface Forecast {
  tasks: number;
  /** Iterations if every stage passes with its first claim. */
  least: number;
  /** Iterations if every stage, round and attempt is used up; conflicts of merges come on top. */
  most: number;
  /** Loops then. */
  mostLoops: number;
  /** Iterations of the longest round of a task. */
  round: number;
  limits: TaskLimits;
  /** The limit of the execution in dollars, or of all its loops together; null if there is none. */
  limitUsd: number | null;
  /** By the average cost of an iteration so far; null if no past loop reported its cost. */
  past: { iterationUsd: number; leastUsd: number; mostUsd: number } | null;
}

interface ForecastRequest {
  limits: TaskLimits;
  /** The limit of the whole execution, and of one loop. */
  budgetUsd: number | null;
  loopUsd: number | null;
  past: readonly Pick<LoopSummary, "part" | "costUsd" | "iteration">[];
}

export function forecastOf(
  tasks: readonly TaskAhead[],
  { limits, budgetUsd, loopUsd, past }: ForecastRequest,
): Forecast {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const rounds = (ahead: TaskAhead) => roundsLeft(ahead, limits);
  const round = ({ stages }: Pick<TaskAhead, "stages">) => sum(stages.map(({ maxIterations }) => maxIterations));
  const least = sum(tasks.map(({ left }) => left.length));
  // The current round has only the stages that are left; a task that is only merged has no further round.
  const later = (ahead: TaskAhead) => (ahead.left.length === 0 ? 0 : rounds(ahead) - 1);
  const now = ({ stages, left }: TaskAhead) => stages.filter(({ place }) => left.includes(place));
  const most = sum(tasks.map((ahead) => round({ stages: now(ahead) }) + later(ahead) * round(ahead)));
  const mostLoops = sum(tasks.map((ahead) => now(ahead).length + later(ahead) * ahead.stages.length));
  const caps = [budgetUsd, loopUsd === null ? null : loopUsd * mostLoops].filter((cap) => cap !== null);
  const iterationUsd = averageUsd(past);
  return {
    tasks: tasks.length,
    ...{ least, most, mostLoops, limits },
    round: Math.max(0, ...tasks.map(round)),
    limitUsd: caps.length > 0 ? Math.min(...caps) : null,
    past: iterationUsd === null ? null : { iterationUsd, leastUsd: least * iterationUsd, mostUsd: most * iterationUsd },
  };
}

/** How often a task may still pass through its stages: the rounds of this attempt, and those of further ones. */
function roundsLeft({ attempt, rounds }: TaskAhead, { maxAttempts, maxRounds }: TaskLimits): number {
  const now = Math.max(1, 1 + maxRounds - rounds);
  return now + Math.max(0, maxAttempts - attempt) * (1 + maxRounds);
}

/** The average cost of an iteration; that of tasks, if there were any. */
function averageUsd(past: ForecastRequest["past"]): number | null {
  const known = past.filter(({ costUsd, iteration }) => costUsd > 0 && iteration > 0);
  const ofTasks = known.filter(({ part }) => part !== null);
  const loops = ofTasks.length > 0 ? ofTasks : known;
  if (loops.length === 0) return null;
  const cost = loops.reduce((total, { costUsd }) => total + costUsd, 0);
  return cost / loops.reduce((total, { iteration }) => total + iteration, 0);
}
