import type { RalphLoopConfig } from "./contract.ts";

/** Texts and numbers of the hook that hosts and users rely on. */
export const HOOK_NAME = "ralph-loop";
export const HOOK_DESCRIPTION = "Agentic iteration loop for autonomous task completion";

export const DEFAULT_MAX_ITERATIONS = 100;
export const DEFAULT_COMPLETION_PROMISE = "DONE";
/** Milliseconds before a continuation is injected. */
export const DEFAULT_CONTINUATION_DELAY = 500;
/** How long to leave a session alone after an error, in milliseconds. */
export const RECOVERY_MS = 5_000;

export const DEFAULT_CONFIG: RalphLoopConfig = {
  enabled: true,
  defaultMaxIterations: DEFAULT_MAX_ITERATIONS,
  defaultCompletionPromise: DEFAULT_COMPLETION_PROMISE,
  continuationDelay: DEFAULT_CONTINUATION_DELAY,
};

/** The template of a continuation that says why the turn before was not enough. */
export const continuationTemplate = (why: string): string => `[RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]

${why} Continue working on the task.

IMPORTANT:
- Review your progress so far
- Continue from where you left off  
- When FULLY complete, output: <promise>{{PROMISE}}</promise>
- Do not stop until the task is truly done

Original task:
{{PROMPT}}`;

export const CONTINUATION_PROMPT_TEMPLATE = continuationTemplate(
  "Your previous attempt did not output the completion promise.",
);
