import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import type { Operation } from "../../src/core/schema/api.ts";
import { errorAnswer } from "../../src/core/schema/api.ts";
import { ROUTES } from "../../src/faces/server/routes.ts";
import { PATIENT } from "./patience.ts";
import type { Ended, Running, Sandbox } from "./sandbox.ts";

export const OPERATIONS: readonly Operation[] = ROUTES.map(({ operation }) => operation);

export interface Answered {
  status: number;
  body: unknown;
  headers: Headers;
}

/** A real server of a sandbox, and a client that checks every answer against the schema of its operation. */
export interface Serving {
  url: string;
  token: string;
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves once it has printed the text. */
  saw(text: string | RegExp): Promise<void>;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  /** The messages of a conversation, once the last one matches. */
  talkUntil(conversation: string, last: RegExp): Promise<string[]>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** The operations that clients of this file have called. */
export const seen = new Set<string>();

export async function serving(
  box: Sandbox,
  args: readonly string[] = [],
  env?: Record<string, string>,
): Promise<Serving> {
  const { child, ended, saw } = startServer(box, ["--port", "0", "--json", ...args], env);
  await saw('"server.listening"');
  const url = readFileSync(join(box.state, "server.url"), "utf8").trim();
  const token = readFileSync(join(box.state, "server-token"), "utf8").trim();
  const ask: Serving["ask"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answered = { status: response.status, body: await response.json(), headers: response.headers };
    checkAnswer(method, path, answered);
    return answered;
  };
  const good = async (method: string, path: string, body?: unknown) => {
    const answered = await ask(method, path, body);
    if (answered.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answered.body)}`);
    return answered.body;
  };
  const get = (path: string) => good("GET", path);
  return {
    ...{ url, token, child, ended, saw, ask, get },
    post: (path, body) => good("POST", path, body),
    async talkUntil(conversation, last) {
      for (const giveUpMs = Date.now() + PATIENT.timeout; ; await new Promise((done) => setTimeout(done, 50))) {
        const { messages } = (await get(`/test/messages/${conversation}?limit=1000`)) as {
          messages: { content: string }[];
        };
        const said = messages.map(({ content }) => content);
        if (last.test(said.at(-1) ?? "")) return said;
        if (Date.now() > giveUpMs) throw new Error(`never said ${last}: ${JSON.stringify(said)}`);
      }
    },
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts a server that never outlives the tests. */
export function startServer(box: Sandbox, args: readonly string[], env?: Record<string, string>): Running {
  const running = box.start(["serve", ...args], env);
  const end = () => void running.child.kill("SIGKILL");
  process.once("exit", end);
  running.ended.then(() => process.off("exit", end));
  return running;
}

/** Every answer matches its schema, without unknown keys. */
function checkAnswer(method: string, path: string, { status, body }: Answered): void {
  const [bare = ""] = path.split("?");
  const operation = OPERATIONS.find((one) => one.method === method && patternOf(one.path).test(bare));
  const schema = status >= 300 ? errorAnswer : operation?.answer;
  if (status < 300 && operation) {
    expect(status).toBe(operation.status);
    seen.add(operation.id);
  }
  if (schema && "safeParse" in schema) expect(schema.parse(body)).toEqual(body);
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);

/** A workflow whose agent is a small program, and the message that starts it. */
export const loopWorkflow = (name: string, agent: string, more = ""): string => `name: ${name}
description: |
  A loop of the tests.
  Triggers: "go ${name}"
provider: ${agent}
loop:
  until: COMPLETE
  max_iterations: 5
${more}prompt: |
  $USER_MESSAGE
`;

/** The content of an event stream. */
export interface StreamedEvent {
  id: number;
  kind: string;
  data: { id: number; subject: string; seq: number; kind: string; event: unknown };
}

/** Reads Server-Sent Events until this many have arrived, then disconnects. */
export async function readEvents(
  { url, token }: Pick<Serving, "url" | "token">,
  {
    query = "",
    lastEventId,
    until,
  }: {
    query?: string;
    lastEventId?: number;
    until(events: StreamedEvent[], lastId: number): boolean;
  },
): Promise<{ events: StreamedEvent[]; lastId: number; text: string }> {
  const quit = new AbortController();
  const response = await fetch(`${url}/events${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
    },
    signal: quit.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const events: StreamedEvent[] = [];
  let [text, rest, lastId] = ["", "", -1];
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  while (!until(events, lastId)) {
    const { value, done } = await reader.read();
    if (done) break;
    const piece = decoder.decode(value, { stream: true });
    text += piece;
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]),
      );
      if (fields.id !== undefined) lastId = Number(fields.id);
      if (fields.data !== undefined)
        events.push({ id: Number(fields.id), kind: String(fields.event), data: JSON.parse(fields.data) });
    }
  }
  quit.abort();
  return { events, lastId, text };
}

interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A raw request, with a path or a host name that no client would send. */
export const raw = (
  { url, token }: Pick<Serving, "url" | "token">,
  path: string,
  { headers = {}, ...rest }: RawRequest,
): Promise<{ status: number; body: string }> =>
  bare(url, path, { ...rest, headers: { authorization: `Bearer ${token}`, ...headers } });

/** The same, with only these headers and the host. */
export function bare(
  url: string,
  path: string,
  { method = "GET", headers = {}, body = "" }: RawRequest = {},
): Promise<{ status: number; body: string; code: string | null; headers: IncomingHttpHeaders }> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers: { host, ...headers }, setHost: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => {
        const code = /^\{"error":\{"code":"([\w-]+)"/.exec(text)?.[1] ?? null;
        resolve({ status: response.statusCode ?? 0, body: text, code, headers: response.headers });
      });
    })
      .on("error", reject)
      .end(body);
  });
}
