import type { AgentSpec } from "../../core/loop/spec.ts";
import { adapterFor } from "./agent.ts";
import { type Answer, askAgent, type Question } from "./ask.ts";

interface AgentQuestion extends Omit<Question, "adapter" | "flags" | "price" | "stops" | "watchdog"> {
  agent: AgentSpec;
}

/** Asks an agent one question on behalf of a loop. */
export async function askOne(
  { stops, watchdog }: Pick<Question, "stops" | "watchdog">,
  { agent, ...question }: AgentQuestion,
): Promise<Answer> {
  const { flags, price } = agent;
  return askAgent({ ...question, adapter: await adapterFor(agent), flags, price, stops, watchdog });
}
