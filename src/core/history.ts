import type { Level } from "./proof/level.ts";

/** How one loop of an agent ended. */
export interface PastLoop {
  agent: string;
  /** Its proof level; null: it was not completed. */
  proof: Level | null;
  iterations: number;
}

/** How many iterations an agent's past loops needed. */
export interface AgentHistory {
  agent: string;
  loops: number;
  /** Loops completed at any level. */
  completed: number;
  /** Loops completed at level `verified`. */
  verified: number;
  /** Iterations to completion; null if no loop was completed. */
  iterations: { median: number; p90: number; max: number } | null;
  /** Suggested `max_iterations`; null if too few loops were completed. */
  suggestion: number | null;
}

/** The minimum number of completed loops for a suggestion. */
export const LEAST_SAMPLES = 5;
const COVERED = 0.95;
const SLACK = 1.25;

/** The histories of agents, the one with the most loops first. */
export function historiesOf(loops: Iterable<PastLoop>): AgentHistory[] {
  const byAgent = new Map<string, PastLoop[]>();
  for (const loop of loops) {
    const past = byAgent.get(loop.agent);
    if (past) past.push(loop);
    else byAgent.set(loop.agent, [loop]);
  }
  return [...byAgent]
    .map(([agent, past]) => historyOf(agent, past))
    .sort((a, b) => b.loops - a.loops || a.agent.localeCompare(b.agent));
}

function historyOf(agent: string, past: readonly PastLoop[]): AgentHistory {
  const needed = past
    .filter(({ proof }) => proof !== null)
    .map(({ iterations }) => iterations)
    .sort((a, b) => a - b);
  const iterations =
    needed.length > 0 ? { median: quantile(needed, 0.5), p90: quantile(needed, 0.9), max: quantile(needed, 1) } : null;
  const suggestion = needed.length >= LEAST_SAMPLES ? withSlack(quantile(needed, COVERED)) : null;
  const verified = past.filter(({ proof }) => proof === "verified").length;
  return { agent, loops: past.length, completed: needed.length, verified, iterations, suggestion };
}

/** Adds a margin for slightly harder work. */
const withSlack = (iterations: number): number => Math.max(iterations + 1, Math.ceil(iterations * SLACK));

/** The smallest of the sorted values that at least this share of them does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
