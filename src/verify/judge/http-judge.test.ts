import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { closedPort } from "../../../test/support/closed-port.ts";
import { modelServer, type Step } from "../../../test/support/model-server.ts";
import type { Reply } from "../../core/judge/question.ts";
import { askOverHttp } from "./http-judge.ts";

const DIALECTS = ["anthropic", "openai"] as const;
const KEY = "sk-very-secret-key";

interface Asked {
  dialect: (typeof DIALECTS)[number];
  url: string;
  timeoutMs?: number;
  quit?: AbortSignal;
}

const ask = ({ dialect, url, timeoutMs = 10_000, quit = new AbortController().signal }: Asked): Promise<Reply> =>
  askOverHttp({
    judge: { by: "http", dialect, baseUrl: `${url}/v1`, model: "small", keyVariable: "KEY" },
    key: KEY,
    question: "Is it done?",
    timeoutMs,
    quit,
  });

describe.each(DIALECTS)("%s", (dialect) => {
  const judge = async (...steps: Step[]) => {
    const server = await modelServer({ steps, plain: true });
    return { server, reply: await ask({ dialect, url: server.url }) };
  };

  test("asks once, with the model and the key, and counts its usage", async () => {
    const { server, reply } = await judge({ text: "yes" });
    expect(reply).toEqual({
      is: "answered",
      text: "yes",
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 0, costUsd: 0 },
    });
    expect(server.requests).toMatchObject([{ model: "small", messages: [{ role: "user", text: "Is it done?" }] }]);
    expect(server.keys[0]).toContain(KEY);
  });

  test.each<[number, Partial<Reply>]>([
    [429, { is: "unavailable", again: true }],
    [500, { is: "unavailable", again: true }],
    [503, { is: "unavailable", again: true }],
    [401, { is: "refused" }],
    [403, { is: "refused" }],
    [400, { is: "refused" }],
    [404, { is: "refused" }],
    [302, { is: "refused" }],
  ])("HTTP %i", async (status, expected) => {
    const { reply } = await judge({ status });
    expect(reply).toMatchObject(expected);
    expect(reply).toHaveProperty("why", expect.stringContaining(`HTTP ${status}`));
  });

  test("reports how long to wait", async () => {
    const { reply } = await judge({ status: 429, retryAfterS: 7 });
    expect(reply).toMatchObject({ is: "unavailable", again: true, retryAfterMs: 7_000 });
  });

  test.each([
    ["no JSON", "<html>"],
    ["another JSON", '{"hello": 1}'],
    ["nothing", ""],
  ])("a body with %s is not an environment failure", async (_name, body) => {
    expect((await judge({ body })).reply.is).toBe("refused");
  });

  test("an endless answer is not read to its end", async () => {
    expect((await judge({ text: "x".repeat(5 << 20) })).reply).toMatchObject({ is: "refused" });
  });

  test("a timeout", async () => {
    const { url } = await modelServer({ steps: [{ hang: true }], plain: true });
    expect(await ask({ dialect, url, timeoutMs: 200 })).toMatchObject({ is: "unavailable", again: false });
  });

  test("a refused connection", async () => {
    expect(await ask({ dialect, url: await closedPort() })).toMatchObject({ is: "unavailable", again: true });
  });

  test("an abort", async () => {
    const { url } = await modelServer({ steps: [{ hang: true }], plain: true });
    const quit = new AbortController();
    const reply = ask({ dialect, url, quit: quit.signal });
    quit.abort();
    expect((await reply).is).toBe("stopped");
  });

  test("a key repeated by the provider is not repeated further", async () => {
    const server = createServer((_request, response) => {
      const error = { type: "error", message: `wrong key ${KEY}` };
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const reply = await ask({ dialect, url: urlOf(server.address()) });
    server.close();
    expect(reply).toHaveProperty("why", expect.stringContaining("wrong key ***"));
  });
});

function urlOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): string {
  if (!address || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}
