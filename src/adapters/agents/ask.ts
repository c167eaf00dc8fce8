import type { AgentRun, TurnFault } from "../../core/agent.ts";
import { NO_CLAIM } from "../../core/claim/policy.ts";
import { DEFAULT_TURN_TIMEOUTS } from "../../core/loop/spec.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { type AgentTurn, runAgent } from "./run.ts";

export interface Question
  extends Pick<AgentTurn, "adapter" | "price" | "cwd" | "token" | "timeoutMs" | "stops" | "watchdog" | "log"> {
  text: string;
  flags: readonly string[];
  iteration: number;
  model?: AgentRun["model"];
  apart?: boolean;
}

export interface Answer {
  text: string;
  usage: Usage;
  fault: TurnFault | null;
}

/** Asks an agent one question in a new session. It should only answer and change nothing. */
export async function askAgent({
  text,
  flags,
  iteration,
  model,
  apart = false,
  ...question
}: Question): Promise<Answer> {
  const { lastMessage, usage, fault } = await runAgent({
    ...question,
    run: {
      prompt: text,
      flags,
      sessionId: null,
      iteration,
      attempt: 1,
      purpose: "ask",
      apart,
      ...(model ? { model } : {}),
    },
    sessionUsage: NO_USAGE,
    claim: NO_CLAIM,
    patience: { ...DEFAULT_TURN_TIMEOUTS, idleTimeoutMs: question.timeoutMs },
    show: () => undefined,
    raw: false,
  });
  return { text: lastMessage, usage, fault };
}
