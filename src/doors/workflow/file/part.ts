import type { WrittenLoop, WrittenStep } from "../../../core/schema/workflow.ts";
import type { LoopExtras, WrittenRetry } from "../../../core/schema/workflow-parts.ts";
import type { LoopPart, PromptSource, Retry, ToolRules } from "../../../core/workflow/workflow.ts";
import { type ReadFault, valueFault } from "./fault.ts";

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

/** The fields of a loop, whatever form the workflow has. */
export function loopFields(
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

export const inlinePrompt = (text: string): PromptSource => ({ text, command: null });

/** Returns the text of a command file by name, or why it is missing. */
export type CommandText = (name: string) => { text: string } | { what: string; hint: string };

export interface Reading {
  command: CommandText;
  faults: ReadFault[];
}

type Source = "command" | "step" | "prompt";

/** The prompt, from the key that contains it. Null if a fault was added. */
export function readPromptSource(
  written: { [key in Source]?: string },
  path: readonly PropertyKey[],
  { command, faults }: Reading,
): PromptSource | null {
  if (written.prompt !== undefined) return { text: written.prompt, command: null };
  const key = written.command === undefined ? "step" : "command";
  const name = written[key] ?? "";
  const found = command(name);
  if ("text" in found) return { text: found.text, command: name };
  faults.push(valueFault([...path, key], found.what, found.hint));
  return null;
}
