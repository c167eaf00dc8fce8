import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { get } from "./api.ts";

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a connection that is lost in the middle of a body is a failure, not an exception", async () => {
  const url = await listening((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"half":', () => response.destroy());
  });
  expect(await get(url)).toMatchObject({ ok: false, status: 0, code: "unreachable" });
});

test("so is one that the page gives up in the middle of a body", async () => {
  const quit = new AbortController();
  const url = await listening((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"half":', () => setTimeout(() => quit.abort(), 20));
  });
  expect(await get(url, quit.signal)).toMatchObject({ ok: false, code: "unreachable" });
});

test("a refusal is in the server's words", async () => {
  const url = await listening((_request, response) => {
    response.writeHead(404).end('{"error":{"code":"task-unknown","message":"there is no task T-9","hint":"list"}}');
  });
  const failure = { ok: false, status: 404, code: "task-unknown", message: "there is no task T-9", hint: "list" };
  expect(await get(url)).toEqual(failure);
});
