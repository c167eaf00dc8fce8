import type { Trouble } from "../agent.ts";
import type { LoopState } from "./state.ts";

/** Troubles of a single agent: another agent can continue meanwhile. */
export const LIMITS_ONE_AGENT: ReadonlySet<Trouble> = new Set(["rate-limited", "overloaded"]);

/** When the first agent becomes available; null if one is available now. */
export function nextFreeMs(s: LoopState, nowMs: number): number | null {
  const frees = agentsOf(s).map((agent) => s.limited[agent] ?? 0);
  const first = Math.min(...frees);
  return first <= nowMs ? null : first;
}

/** The agent of the next turn: the most preferred available one, else the one that becomes available first. */
export function nextAgent(s: LoopState, nowMs: number): number {
  const freeAt = (agent: number) => Math.max(nowMs, s.limited[agent] ?? 0);
  return agentsOf(s).reduce((best, agent) => (freeAt(agent) < freeAt(best) ? agent : best), 0);
}

/** Indexes in the list of agents; a host's loop has one agent that is not in the list. */
const agentsOf = ({ spec }: LoopState): number[] => (spec?.agents.length ? [...spec.agents.keys()] : [0]);
