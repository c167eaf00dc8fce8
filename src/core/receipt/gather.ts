import type { Entry } from "../loop/events.ts";
import { reduce } from "../loop/reduce.ts";
import { type LoopState, START } from "../loop/state.ts";

export interface Gathered {
  state: LoopState;
  /** When its last claim was proven; null: not proven. */
  completedAtMs: number | null;
  agents: readonly { agent: number; models: readonly string[]; iterations: number }[];
  /** The model of the last turn, if its agent reports it. */
  model: string | null;
}

/** Reads a loop's journal from the beginning, in bounded memory. */
export async function gather(entries: AsyncIterable<Entry>): Promise<Gathered> {
  const parts = new Map<number, { models: Set<string>; iterations: number }>();
  let state = START;
  let completedAtMs: number | null = null;
  let model: string | null = null;
  for await (const entry of entries) {
    const { event } = entry;
    state = reduce(state, entry);
    if (event.type === "turn.began") completedAtMs = null;
    if (event.type === "claim.judged") completedAtMs = event.verdict.is === "pass" ? entry.atMs : null;
    if (event.type !== "turn.ended") continue;
    model = event.model ?? null;
    const part = parts.get(state.agent) ?? { models: new Set(), iterations: 0 };
    parts.set(state.agent, part);
    part.iterations++;
    if (event.model) part.models.add(event.model);
  }
  const agents = [...parts].map(([agent, { models, iterations }]) => ({ agent, models: [...models], iterations }));
  return { state, completedAtMs, agents, model };
}
