import type { AgentEvent } from "../../core/agent.ts";
import { addUsage, NO_USAGE, type Usage } from "../../core/usage.ts";
import { asFields, asText, countOf, type JsonFields } from "./json.ts";

/** Joins the blocks of one message and drops a block that was already streamed in pieces. */
export function messageWriter() {
  let open: string | null = null;
  let arriving: string | null = null;
  let inPieces: string | null = null;

  const end = (): AgentEvent[] => {
    const events: AgentEvent[] = open === null ? [] : [{ type: "message.ended" }];
    open = null;
    return events;
  };
  /** A new block of the same message starts on a new line. */
  const begin = (id: string): AgentEvent[] => {
    const events: AgentEvent[] = open === id && id !== "" ? [{ type: "text.said", text: "\n" }] : end();
    open = id;
    return events;
  };
  return {
    end,
    block: (id: string, text: string): AgentEvent[] =>
      inPieces !== null && inPieces === id ? [] : [...begin(id), { type: "text.said", text }],
    partial(event: JsonFields): AgentEvent[] {
      if (event.type === "message_start") arriving = asText(asFields(event.message).id) || null;
      if (arriving === null) return [];
      if (event.type === "content_block_start" && asFields(event.content_block).type === "text") {
        inPieces = arriving;
        return begin(arriving);
      }
      const { type, text } = asFields(event.delta);
      return type === "text_delta" && inPieces === arriving ? [{ type: "text.said", text: asText(text) }] : [];
    },
  };
}

export type MessageWriter = ReturnType<typeof messageWriter>;

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
