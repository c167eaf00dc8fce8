import { z } from "zod";
import { type Dialect, freshId, torn } from "./dialect.ts";

const Content = z.union([
  z.string(),
  z.null().transform(() => ""),
  z.array(z.object({ text: z.string().optional() })).transform((parts) => parts.map(({ text }) => text ?? "").join("")),
]);
const Body = z.object({
  messages: z.array(
    z.object({ role: z.enum(["system", "user", "assistant", "tool"]), content: Content.optional().default("") }),
  ),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  model: z.string().default(""),
  stream: z.boolean().default(false),
});

/** OpenAI's chat completions, as used by opencode and Qwen Code. */
export const chat: Dialect = {
  speaks: (path) => path === "/v1/chat/completions",

  hear(body) {
    const { messages, tools, model, stream } = Body.parse(body);
    return {
      messages: messages.map(({ role, content }) => ({ role, text: content })),
      tools: tools.map((tool) => tool.function.name),
      model,
      streamed: stream,
    };
  },

  answer({ thought, text, tool, usage }) {
    const id = freshId("chatcmpl");
    const chunk = (choices: object[], more = {}) => ({
      id,
      object: "chat.completion.chunk",
      created: 1,
      model: "scripted",
      choices,
      ...more,
    });
    const say = (delta: object, finish_reason: string | null = null) => chunk([{ index: 0, delta, finish_reason }]);
    const call = tool && {
      index: 0,
      id: freshId("call"),
      type: "function",
      function: { name: tool.name, arguments: JSON.stringify(tool.input) },
    };
    const used = {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    };
    return [
      ...torn(thought).map((reasoning_content) => say({ role: "assistant", reasoning_content })),
      ...torn(text).map((content) => say({ role: "assistant", content })),
      ...(call ? [say({ role: "assistant", tool_calls: [call] })] : []),
      say({}, tool ? "tool_calls" : "stop"),
      chunk([], { usage: used }),
      "[DONE]",
    ];
  },

  document: ({ text, usage }) => ({
    id: freshId("chatcmpl"),
    object: "chat.completion",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }),

  refusal: (status) => ({ error: { message: `scripted ${status}`, type: "error", code: String(status) } }),
};
