/** The scripted model's answer: text, and perhaps a call of one of the offered tools. */
export interface Answer {
  /** Its reasoning before the answer; empty: none. */
  thought: string;
  text: string;
  tool: { name: string; input: Record<string, unknown> } | null;
  usage: { inputTokens: number; outputTokens: number };
}

/** One message of a conversation as it was sent; the result of a tool has the tool's role. */
export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
}

/** A request in the form that tests of every dialect read. */
export interface Call {
  messages: Message[];
  /** Names of the tools offered. */
  tools: string[];
  model?: string;
  /** False: the client wants the answer as one document. */
  streamed?: boolean;
}

/** One wire protocol of model providers, in the minimal form that the coding-agent CLIs accept. */
export interface Dialect {
  speaks(path: string): boolean;
  hear(body: unknown): Call;
  /** The events of a streamed answer; a string is sent unchanged. */
  answer(answer: Answer): (object | string)[];
  /** The answer as one document, for clients that request it. */
  document?(answer: Answer): object;
  /** The body of a refusal. */
  refusal(status: number): object;
}

/** Pieces short enough to split a tag, as real models do. */
export const torn = (text: string): string[] => text.match(/.{1,12}/gsu) ?? [];

let calls = 0;

/** An id that is unique in this process. */
export function freshId(prefix: string): string {
  calls += 1;
  return `${prefix}_${process.pid}_${calls}`;
}
