import type * as z from "zod";
import { LEVEL_WORDS } from "../../../core/proof/level.ts";
import type { loopAnswer } from "../../../core/schema/api-loops.ts";
import type { runAnswer } from "../../../core/schema/api-runs.ts";
import type { Tone } from "../../../core/view/lanes.ts";
import type { RunState, RunStatus } from "../../../core/workflow/state.ts";

export type RunLine = z.infer<typeof runAnswer>;
export type RunDetail = RunLine & { state: RunState; loops: readonly z.infer<typeof loopAnswer>[] };

const TONES: Readonly<Record<RunStatus, Tone>> = {
  queued: "plain",
  running: "active",
  interrupted: "warn",
  completed: "good",
  failed: "bad",
  cancelled: "dim",
};

/** How a run stands, with the proof of what it completed. */
export function runBadge({ status, proof, held }: RunLine): { tone: Tone; words: string } {
  if (status === "completed" && proof) {
    const isWeak = proof === "still-green" || proof === "promise-only";
    return { tone: isWeak ? "warn" : "good", words: `${LEVEL_WORDS[proof].mark} ${proof}` };
  }
  if (status === "running" && !held) return { tone: "warn", words: "interrupted" };
  return { tone: TONES[status], words: status };
}

/** Its conversation's page; null if it has none. */
export function conversationHref({ conversation }: Pick<RunLine, "conversation">): string | null {
  if (!conversation) return null;
  const { platform, id } = conversation;
  return `/workflows/${encodeURIComponent(id)}${platform === "http" ? "" : `?platform=${encodeURIComponent(platform)}`}`;
}
