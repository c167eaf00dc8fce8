export interface ContinuationValues {
  iteration: number;
  maxIterations: number | null;
  completionPromise: string;
  prompt: string;
}

/** Fills a template in one pass, so that placeholders in values are not replaced. */
export function buildContinuationPrompt(template: string, values: ContinuationValues): string {
  const { iteration, maxIterations, completionPromise, prompt } = values;
  const named: Record<string, string> = {
    ITERATION: String(iteration),
    MAX: String(maxIterations ?? "∞"),
    PROMISE: completionPromise,
    PROMPT: prompt,
  };
  return template.replace(/\{\{(ITERATION|MAX|PROMISE|PROMPT)\}\}/g, (_, name: string) => named[name] ?? "");
}
