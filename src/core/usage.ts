/** What a piece of agent work cost. Zero where the agent does not say. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd + b.costUsd,
});

export const totalTokens = (usage: Usage): number => usage.inputTokens + usage.outputTokens;
