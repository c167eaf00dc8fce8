import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request to a chat platform. */
export interface Call {
  /** The complete path. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: Record<string, unknown>;
}

/** The answer to a call; null: given by hand, or never. */
export type Answer = { status?: number; headers?: Record<string, string>; json?: unknown } | null;

export interface ChatServer {
  url: string;
  calls: Call[];
}

/** A real HTTP server on this machine that plays a chat platform. */
export async function chatServer(
  answer: (call: Call, n: number, response: ServerResponse) => Answer = () => ({ json: { ok: true } }),
): Promise<ChatServer> {
  const chat: ChatServer = { url: "", calls: [] };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const call = { path: request.url ?? "", headers: request.headers, body, json: JSON.parse(body) };
      chat.calls.push(call);
      const given = answer(call, chat.calls.length, response);
      if (!given) return;
      const headers = { "content-type": "application/json", ...given.headers };
      response.writeHead(given.status ?? 200, headers).end(JSON.stringify(given.json ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  chat.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return chat;
}
