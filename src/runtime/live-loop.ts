import type { LiveTurn } from "../adapters/agents/live-turn.ts";
import {
  type Activity,
  activityIn,
  type LastVerdict,
  type LimitsLeft,
  lastVerdict,
  limitsLeft,
} from "../core/loop/activity.ts";
import type { LoopState } from "../core/loop/state.ts";
import { addUsage, totalTokens, type Usage } from "../core/usage.ts";
import { loopBlobs, type Workspace } from "../core/workspace.ts";
import type { LoopView } from "../engine/named.ts";

/** A loop that is driven now. */
export interface LiveLoop {
  activity: Activity & Pick<LiveTurn, "tool" | "said">;
  lastVerdict: LastVerdict | null;
  /** Including the current turn, as far as its agent has reported it. */
  spent: Usage;
  left: LimitsLeft;
}

/** What a loop does now; null if no process drives it. The log of the current turn is read, nothing is stored. */
export async function liveLoop(workspace: Workspace, loop: LoopView, nowMs = Date.now()): Promise<LiveLoop | null> {
  if (!loop.held || loop.status === "stopped") return null;
  const { state } = await workspace.store.glance(loop.id);
  if (!state.spec || state.stopped) return null;
  // The adapters of agents are loaded only if a loop runs.
  const { liveTurn } = await import("../adapters/agents/live-turn.ts");
  const { tool, said, usage } = await liveTurn(loopBlobs(workspace, loop.id), state);
  const spent = addUsage(state.spent, usage);
  return {
    activity: { ...activityIn(state, nowMs), tool, said },
    lastVerdict: await lastVerdictOf(workspace, loop.id, state),
    spent,
    left: limitsLeft(state, spent, nowMs),
  };
}

async function lastVerdictOf({ store }: Workspace, loop: string, { n }: LoopState): Promise<LastVerdict | null> {
  let last: LastVerdict | null = null;
  if (n > 0) for await (const { event } of store.entries(loop)) last = lastVerdict(last, event);
  return last;
}

/** The summary with the cost of the current turn: the summary alone has what ended turns cost. */
export const withLive = (loop: LoopView, live: LiveLoop | null) =>
  live ? { ...loop, ...live, costUsd: live.spent.costUsd, tokens: totalTokens(live.spent) } : loop;
