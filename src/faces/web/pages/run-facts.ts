import type * as z from "zod";
import type { loopAnswer } from "../../../core/schema/api-loops.ts";
import type { runAnswer } from "../../../core/schema/api-runs.ts";
import type { RunState } from "../../../core/workflow/state.ts";

export type RunLine = z.infer<typeof runAnswer>;
export type RunDetail = RunLine & { state: RunState; loops: readonly z.infer<typeof loopAnswer>[] };

/** Its conversation's page; null if it has none. */
export function conversationHref({ conversation }: Pick<RunLine, "conversation">): string | null {
  if (!conversation) return null;
  const { platform, id } = conversation;
  return `/workflows/${encodeURIComponent(id)}${platform === "http" ? "" : `?platform=${encodeURIComponent(platform)}`}`;
}
