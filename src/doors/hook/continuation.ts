import { claimOf } from "../../core/claim/policy.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { CONTINUATION_PROMPT_TEMPLATE, continuationTemplate } from "./library/constants.ts";
import { buildContinuationPrompt } from "./library/template.ts";

/** Used if there is more feedback than a missing promise. */
const NOT_ENOUGH = continuationTemplate("Your previous attempt was not enough: the reason is at the end.");

/** The prompt of a turn in a host's session: the task for the first turn, continuations after that. */
export function hookPrompt({ spec, n, turn, limits, feedback }: LoopState, task: string): string {
  if (!spec || n <= 1) return task;
  const template = feedback.length === 0 ? CONTINUATION_PROMPT_TEMPLATE : NOT_ENOUGH;
  return buildContinuationPrompt(template, {
    iteration: n,
    maxIterations: limits.maxIterations,
    completionPromise: claimOf(spec.claim, turn?.nonce ?? null).promise,
    prompt: task,
  });
}
