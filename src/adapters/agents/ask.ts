import type { AgentRun, TurnFault } from "../../core/agent.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import { NO_CLAIM } from "../../core/claim/policy.ts";
import { DEFAULT_TURN_TIMEOUTS } from "../../core/loop/spec.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { adapterFor } from "./agent.ts";
import { type AgentTurn, runAgent } from "./run.ts";

interface Question extends Pick<AgentTurn, "cwd" | "token" | "timeoutMs" | "log"> {
  agent: AgentSpec;
  text: string;
  iteration: number;
  model?: AgentRun["model"];
  apart?: boolean;
}

export interface Answer {
  text: string;
  usage: Usage;
  fault: TurnFault | null;
}

/** Asks an agent one question on behalf of a loop, in a new session. It should only answer and change nothing. */
export async function askOne(
  { stops, watchdog }: Pick<AgentTurn, "stops" | "watchdog">,
  { agent, text, iteration, model, apart = false, ...question }: Question,
): Promise<Answer> {
  const { flags, price } = agent;
  const run = { prompt: text, flags, sessionId: null, iteration, attempt: 1, purpose: "ask", apart } as const;
  const { lastMessage, usage, fault } = await runAgent({
    ...question,
    stops,
    watchdog,
    adapter: await adapterFor(agent),
    price,
    run: { ...run, ...(model ? { model } : {}) },
    sessionUsage: NO_USAGE,
    claim: NO_CLAIM,
    patience: { ...DEFAULT_TURN_TIMEOUTS, idleTimeoutMs: question.timeoutMs },
    show: () => undefined,
    raw: false,
  });
  return { text: lastMessage, usage, fault };
}
