import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { anthropic } from "./model-server/anthropic.ts";
import { chat } from "./model-server/chat.ts";
import type { Answer, Call, Dialect } from "./model-server/dialect.ts";
import { gemini } from "./model-server/gemini.ts";
import { responses } from "./model-server/responses.ts";
import { isAside, toolCall } from "./model-server/tools.ts";
import type { Finished } from "./sandbox.ts";

/** The model's reaction to a request: answer, perhaps with a tool call, refuse, or never answer. */
export type Step =
  | { thought?: string; text: string }
  | { text?: string; write: { path: string; content: string } }
  | { thought?: string; text?: string; run: string }
  | { status: number; retryAfterS?: number }
  /** A body that is not an answer. */
  | { body: string }
  | { hang: true };

export interface ModelServer {
  url: string;
  /** The requests of the conversation, in order; side requests are left out. */
  requests: Call[];
  /** The keys in the requests. */
  keys: string[];
  /** Requests that no dialect understands. */
  strays: string[];
}

const USAGE = { inputTokens: 100, outputTokens: 20 };
const NO_USAGE = { inputTokens: 0, outputTokens: 0 };
const NO_WORDS = { thought: "", text: "", tool: null, usage: NO_USAGE };
const DIALECTS = [anthropic, responses, chat, gemini];

/**
 * A model behind a loopback port that plays a script, one step per request, repeating the last one. It answers in
 * the dialect of the request, and is gone after the test.
 * Side requests of a client (titles, routing, memory) are answered without a step and cost nothing, unless the
 * client has no tools: `plain`.
 */
export async function modelServer(
  script: { steps: Step[]; plain?: boolean },
  finished: Finished = onTestFinished,
): Promise<ModelServer> {
  const steps = [...script.steps];
  const [requests, keys, strays]: [Call[], string[], string[]] = [[], [], []];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const dialect = DIALECTS.find((one) => one.speaks(path));
    if (!dialect || request.method !== "POST") {
      strays.push(`${request.method} ${path}`);
      response.writeHead(path === "/api/hello" ? 200 : 404).end();
      return;
    }
    const call = dialect.hear(await bodyOf(request));
    if (!script.plain && isAside(call)) {
      // Gemini CLI requests one document for its router; the others want a stream here too.
      return send(response, dialect, { ...NO_WORDS, text: "{}" }, !path.endsWith(":generateContent"));
    }
    requests.push(call);
    keys.push(String(request.headers["x-api-key"] ?? request.headers.authorization));
    const [step] = steps.length > 1 ? steps.splice(0, 1) : steps;
    if (step) play(step, call, dialect, response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      strays.push(`${request.method} ${request.url}: ${error}`);
      response.writeHead(400).end();
    });
  });
  finished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the model server has no port");
  return { url: `http://127.0.0.1:${address.port}`, requests, keys, strays };
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => JSON.parse(await text(request));

function play(step: Step, { tools, streamed }: Call, dialect: Dialect, response: ServerResponse): void {
  if ("hang" in step) return;
  if ("body" in step) {
    response.writeHead(200, { "content-type": "application/json" }).end(step.body);
    return;
  }
  if ("status" in step) {
    const retry = step.retryAfterS === undefined ? {} : { "retry-after": String(step.retryAfterS) };
    response.writeHead(step.status, { "content-type": "application/json", ...retry });
    response.end(JSON.stringify(dialect.refusal(step.status)));
    return;
  }
  const tool = "write" in step || "run" in step ? toolCall(step, tools) : null;
  const thought = "thought" in step ? (step.thought ?? "") : "";
  const answer = { thought, text: step.text ?? "", tool, usage: USAGE };
  const document = streamed === false ? dialect.document?.(answer) : undefined;
  if (document) response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  else send(response, dialect, answer);
}

function send(response: ServerResponse, dialect: Dialect, answer: Answer, streamed = true): void {
  response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" });
  const events = dialect.answer(answer);
  response.end(streamed ? events.map(frame).join("") : JSON.stringify(events[0]));
}

function frame(event: object | string): string {
  if (typeof event === "string") return `data: ${event}\n\n`;
  const name = "type" in event ? `event: ${event.type}\n` : "";
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
