import { titleOf } from "../../../core/loop/from-settings.ts";
import type { RalphLoopState } from "./contract.ts";
import type { KeptLoop } from "./keeper.ts";

/** A loop of the journal, as hosts see it. */
export function shownState({ sessionId, state }: KeptLoop): RalphLoopState {
  const { spec, n, limits, startedAtMs, atMs } = state;
  const prompt = spec && "text" in spec.prompt ? spec.prompt.text : "";
  return {
    active: true,
    iteration: Math.max(1, n),
    maxIterations: limits.maxIterations ?? Number.POSITIVE_INFINITY,
    completionPromise: spec?.claim.promise ?? "",
    startedAt: new Date(startedAtMs).toISOString(),
    prompt,
    sessionId,
    ...(n > 1 ? { lastIterationAt: new Date(atMs).toISOString() } : {}),
    ...(spec && spec.title !== titleOf(prompt) ? { description: spec.title } : {}),
  };
}
