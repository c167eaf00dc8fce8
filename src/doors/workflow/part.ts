import type { WrittenLoop, WrittenStep } from "../../core/schema/workflow.ts";
import type { LoopExtras, WrittenRetry } from "../../core/schema/workflow-parts.ts";
import type { LoopPart, PromptSource, Retry, ToolRules } from "../../core/workflow/workflow.ts";

/** How long to wait before another attempt, unless somebody says so. */
const RETRY_DELAY_MS = 3_000;

export function retryOf(written: WrittenRetry | undefined): Retry {
  if (written === undefined) return { attempts: 0, delayMs: 0 };
  if (typeof written === "number") return { attempts: written, delayMs: RETRY_DELAY_MS };
  return { attempts: written.max_attempts, delayMs: written.delay_ms ?? RETRY_DELAY_MS };
}

type WrittenTools = Pick<WrittenStep, "allowed_tools" | "denied_tools">;

export const toolsOf = ({ allowed_tools, denied_tools }: WrittenTools): ToolRules => ({
  allowed: allowed_tools ?? null,
  denied: denied_tools ?? [],
});

export const agentOf = ({ provider, model }: Pick<WrittenStep, "provider" | "model">) => ({
  provider: provider ?? null,
  model: model ?? null,
});

/** What a loop says, wherever it stands. */
export function partLoop(
  written: LoopExtras & Pick<WrittenLoop, "max_iterations"> & { until?: string },
): Omit<LoopPart, "kind" | "name" | "prompt" | "provider" | "model" | "tools" | "idleTimeoutS"> {
  const { verify, guardrails = [] } = written;
  return {
    until: written.until ?? null,
    untilBash: written.until_bash ?? null,
    maxIterations: written.max_iterations,
    freshContext: written.fresh_context ?? false,
    verify: typeof verify === "string" ? [verify] : (verify ?? null),
    guardrails: guardrails.map((one) => (typeof one === "string" ? { command: one } : one)),
    iterationTimeoutS: written.iteration_timeout ?? null,
    maxCostUsd: written.max_cost ?? null,
  };
}

export const literalPrompt = (text: string): PromptSource => ({ text, command: null });
