import { z } from "zod";
import { type Dialect, freshId, type Message } from "./dialect.ts";

const Item = z.object({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.array(z.object({ text: z.string().optional() })).nullish(),
  output: z.unknown().optional(),
});
const Body = z.object({
  input: z.array(Item),
  tools: z.array(z.object({ name: z.string().optional() })).default([]),
  model: z.string().default(""),
});

/** OpenAI's Responses API, as used by Codex. */
export const responses: Dialect = {
  speaks: (path) => path === "/v1/responses",

  hear(body) {
    const { input, tools, model } = Body.parse(body);
    return { messages: input.flatMap(messageOf), tools: tools.flatMap(({ name }) => name ?? []), model };
  },

  answer({ thought, text, tool, usage }) {
    const items = [
      ...(thought
        ? [{ type: "reasoning", id: freshId("rs"), summary: [{ type: "summary_text", text: thought }] }]
        : []),
      ...(text
        ? [{ type: "message", role: "assistant", id: freshId("msg"), content: [{ type: "output_text", text }] }]
        : []),
      ...(tool
        ? [{ type: "function_call", call_id: freshId("call"), name: tool.name, arguments: JSON.stringify(tool.input) }]
        : []),
    ];
    const used = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    };
    return [
      ...items.map((item) => ({ type: "response.output_item.done", item })),
      { type: "response.completed", response: { id: freshId("resp"), usage: used } },
    ];
  },

  refusal: (status) => ({ error: { message: `scripted ${status}`, type: "error", code: String(status) } }),
};

function messageOf({ type, role, content, output }: z.infer<typeof Item>): Message[] {
  if (type === "message") {
    const text = (content ?? []).map((part) => part.text ?? "").join("");
    return [{ role: role === "assistant" || role === "user" ? role : "system", text }];
  }
  if (type?.endsWith("_call_output")) return [{ role: "tool", text: JSON.stringify(output) }];
  return [];
}
