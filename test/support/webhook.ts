import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A real HTTP server on this machine that receives notifications. */
export interface Webhook {
  url: string;
  /** The received JSON documents, in order. */
  received: Record<string, unknown>[];
  requests: IncomingMessage[];
}

/** Answers the n-th request (from 1) as configured: with a status, or by hand. */
export async function webhook(
  answer: (n: number, response: ServerResponse) => number | undefined = () => 200,
): Promise<Webhook> {
  const hook: Webhook = { url: "", received: [], requests: [] };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      hook.requests.push(request);
      hook.received.push(JSON.parse(body) as Record<string, unknown>);
      const status = answer(hook.requests.length, response);
      if (status !== undefined) response.writeHead(status).end("ok");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T0/SECRET`;
  return hook;
}
