import { z } from "zod";
import { type Dialect, type Message, torn } from "./dialect.ts";

const Part = z.object({ text: z.string().optional(), functionResponse: z.unknown().optional() });
const Body = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(Part) })),
  tools: z.array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).default([]) })).default([]),
});

/** Google's Gemini API, as used by Gemini CLI. */
export const gemini: Dialect = {
  speaks: (path) => /:(streamGenerateContent|generateContent)$/.test(path),

  hear(body) {
    const { contents, tools } = Body.parse(body);
    return {
      messages: contents.flatMap(({ role, parts }) => parts.map((part) => messageOf(role, part))),
      tools: tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)),
    };
  },

  answer({ thought, text, tool, usage }) {
    const usageMetadata = {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    };
    const parts = [
      ...torn(thought).map((piece) => ({ text: piece, thought: true })),
      ...torn(text).map((piece) => ({ text: piece })),
      ...(tool ? [{ functionCall: { name: tool.name, args: tool.input } }] : []),
    ];
    return parts.map((part, index) => ({
      candidates: [
        { content: { role: "model", parts: [part] }, ...(index === parts.length - 1 ? { finishReason: "STOP" } : {}) },
      ],
      usageMetadata,
    }));
  },

  refusal: (status) => ({
    error: {
      code: status,
      message: `scripted ${status}`,
      status: status === 401 ? "UNAUTHENTICATED" : "RESOURCE_EXHAUSTED",
    },
  }),
};

function messageOf(role: string | undefined, part: z.infer<typeof Part>): Message {
  if (part.functionResponse) return { role: "tool", text: JSON.stringify(part.functionResponse) };
  return { role: role === "model" ? "assistant" : "user", text: part.text ?? "" };
}
