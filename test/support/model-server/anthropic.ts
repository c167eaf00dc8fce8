import { z } from "zod";
import { type Dialect, freshId, type Message, torn } from "./dialect.ts";

const Text = z.union([z.string(), z.array(z.object({ text: z.string().optional() })).transform(joined)]);
const Block = z.object({ type: z.string(), text: z.string().optional(), content: Text.optional() });
const Body = z.object({
  messages: z.array(
    z.object({ role: z.enum(["user", "assistant", "system"]), content: z.union([z.string(), z.array(Block)]) }),
  ),
  tools: z.array(z.object({ name: z.string() })).default([]),
  model: z.string().default(""),
  stream: z.boolean().default(false),
});

function joined(parts: { text?: string | undefined }[]): string {
  return parts.map(({ text }) => text ?? "").join("");
}

/** Anthropic's Messages API, as used by Claude Code. */
export const anthropic: Dialect = {
  speaks: (path) => path === "/v1/messages",

  hear(body) {
    const { messages, tools, model, stream } = Body.parse(body);
    return {
      messages: messages.flatMap(({ role, content }): Message[] =>
        typeof content === "string"
          ? [{ role, text: content }]
          : content.map((block) => ({
              role: block.type === "tool_result" ? "tool" : role,
              text: block.text ?? block.content ?? "",
            })),
      ),
      tools: tools.map(({ name }) => name),
      model,
      streamed: stream,
    };
  },

  answer({ thought, text, tool, usage }) {
    const blocks = [
      ...(thought
        ? [
            {
              start: { type: "thinking", thinking: "", signature: "" },
              deltas: [...torn(thought).map(thoughtDelta), { type: "signature_delta", signature: "signed" }],
            },
          ]
        : []),
      ...(text ? [{ start: { type: "text", text: "" }, deltas: torn(text).map(textDelta) }] : []),
      ...(tool
        ? [
            {
              start: { type: "tool_use", id: freshId("toolu"), name: tool.name, input: {} },
              deltas: torn(JSON.stringify(tool.input)).map(inputDelta),
            },
          ]
        : []),
    ];
    const message = { id: freshId("msg"), type: "message", role: "assistant", model: "scripted", content: [] };
    const used = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage: used } },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null },
        usage: used,
      },
      { type: "message_stop" },
    ];
  },

  document: ({ text, usage }) => ({
    id: freshId("msg"),
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  }),

  refusal: (status) => ({
    type: "error",
    error: { type: status === 401 ? "authentication_error" : "rate_limit_error", message: `scripted ${status}` },
  }),
};

const thoughtDelta = (thinking: string) => ({ type: "thinking_delta", thinking });
const textDelta = (text: string) => ({ type: "text_delta", text });
const inputDelta = (partial_json: string) => ({ type: "input_json_delta", partial_json });
