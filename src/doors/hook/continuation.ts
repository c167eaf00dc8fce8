import { claimOf } from "../../core/claim/policy.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { CONTINUATION_PROMPT_TEMPLATE } from "./library/constants.ts";
import { buildContinuationPrompt } from "./library/template.ts";

const MISSED = "Your previous attempt did not output the completion promise.";
/** Used if there is more feedback than a missing promise. */
const NOT_ENOUGH = "Your previous attempt was not enough: the reason is at the end.";

/** The prompt of a turn in a host's session: the task for the first turn, continuations after that. */
export function hookPrompt({ spec, n, turn, limits, feedback }: LoopState, task: string): string {
  if (!spec || n <= 1) return task;
  const template =
    feedback.length === 0 ? CONTINUATION_PROMPT_TEMPLATE : CONTINUATION_PROMPT_TEMPLATE.replace(MISSED, NOT_ENOUGH);
  return buildContinuationPrompt(template, {
    iteration: n,
    maxIterations: limits.maxIterations,
    completionPromise: claimOf(spec.claim, turn?.nonce ?? null).promise,
    prompt: task,
  });
}
