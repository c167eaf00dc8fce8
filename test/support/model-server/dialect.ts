/** What the scripted model says: words, and perhaps a call of one of the tools it was offered. */
export interface Answer {
  /** What it thinks before; empty: nothing that it would tell. */
  thought: string;
  text: string;
  tool: { name: string; input: Record<string, unknown> } | null;
  usage: { inputTokens: number; outputTokens: number };
}

/** One message of a conversation as it was sent; a tool's result is the tool's. */
export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
}

/** A request as every dialect's tests want to see it. */
export interface Call {
  messages: Message[];
  /** Names of the tools offered. */
  tools: string[];
  model?: string;
  /** False: the answer is wanted as one document. */
  streamed?: boolean;
}

/** One wire protocol of model providers, the least of it that the coding-agent CLIs accept. */
export interface Dialect {
  speaks(path: string): boolean;
  hear(body: unknown): Call;
  /** The events of a streamed answer; a string is sent as it is. */
  answer(answer: Answer): (object | string)[];
  /** The answer as one document, where somebody asks for that. */
  document?(answer: Answer): object;
  /** The body of a refusal. */
  refusal(status: number): object;
}

/** Pieces short enough to tear a tag apart, as real models do. */
export const torn = (text: string): string[] => text.match(/.{1,12}/gsu) ?? [];

let calls = 0;

/** An id that no other call of this process has. */
export function freshId(prefix: string): string {
  calls += 1;
  return `${prefix}_${process.pid}_${calls}`;
}
