import { addUsage, NO_USAGE, type Usage } from "../../core/usage.ts";
import { asFields, countOf, type JsonFields } from "./json.ts";

/** Tokens as Anthropic counts them: cache reads and writes are not included in `input_tokens`. */
export function tokensOf(usage: JsonFields): Usage {
  const cached = countOf(usage.cache_read_input_tokens);
  return {
    inputTokens: countOf(usage.input_tokens) + countOf(usage.cache_creation_input_tokens) + cached,
    cachedTokens: cached,
    outputTokens: countOf(usage.output_tokens),
    costUsd: 0,
  };
}

/** The sum of usage that is reported per model. */
export const modelTokens = (models: JsonFields): Usage =>
  Object.values(models)
    .map(asFields)
    .map((model) => ({
      inputTokens:
        countOf(model.inputTokens) + countOf(model.cacheCreationInputTokens) + countOf(model.cacheReadInputTokens),
      cachedTokens: countOf(model.cacheReadInputTokens),
      outputTokens: countOf(model.outputTokens),
      costUsd: countOf(model.costUSD),
    }))
    .reduce(addUsage, NO_USAGE);

export const isZero = ({ inputTokens, outputTokens, costUsd }: Usage): boolean =>
  inputTokens + outputTokens + costUsd === 0;
