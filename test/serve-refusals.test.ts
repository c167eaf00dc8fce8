import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { OPERATIONS, raw, type Serving, serving } from "./support/serve.ts";

const cleanUps: (() => void)[] = [];
let box: Sandbox;
let server: Serving;

beforeAll(async () => {
  box = sandbox((cleanUp) => cleanUps.push(cleanUp));
  box.initGit();
  box.write("README", "hello\n");
  box.program("tiny", 'echo "<promise>DONE</promise>"');
  await box.ralph("run", "--agent", "tiny", "--prompt", "a loop, so that `last` is one");
  server = await serving(box);
});

afterAll(async () => {
  const ended = await server?.stop();
  // No request is reported as a bug of ours.
  expect(ended?.stdout).not.toContain("because of a bug");
  for (const cleanUp of cleanUps) cleanUp();
});

describe("access", () => {
  test.each<[string, Record<string, string>, number, string]>([
    ["no token", { authorization: "" }, 401, "unauthorized"],
    ["a wrong token", { authorization: `Bearer ${"x".repeat(43)}` }, 401, "unauthorized"],
    ["another scheme", { authorization: "Basic cmFscGg6eA==" }, 401, "unauthorized"],
    ["a page of another site", { origin: "https://evil.example" }, 403, "origin-refused"],
    ["a page without an origin", { origin: "null" }, 403, "origin-refused"],
    ["a page of another port", { origin: "http://127.0.0.1:1" }, 403, "origin-refused"],
  ])("%s is refused", async (_what, headers, status, code) => {
    const refused = await server.ask("GET", "/api/status", undefined, headers);
    expect(refused).toMatchObject({ status, body: { error: { code, hint: expect.any(String) } } });
  });

  test("its own page is allowed, and no answer may be cached or sniffed", async () => {
    const { status, headers } = await server.ask("GET", "/api/status", undefined, { origin: server.url });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each([
    "evil.example",
    "evil.example:3000",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "192.168.0.1",
    "",
  ])("the host name %j is refused", async (host) => {
    const { status, body } = await raw(server, "/api/status", { headers: { host } });
    expect(status === 421 || status === 400).toBe(true);
    expect(body).not.toContain("repository");
  });

  test("its own host names are accepted", async () => {
    const { port } = new URL(server.url);
    for (const host of [`localhost:${port}`, `[::1]:${port}`, "127.0.0.1"]) {
      expect((await raw(server, "/api/status", { headers: { host } })).status).toBe(200);
    }
  });

  test("a token in the address is refused, right or wrong", async () => {
    for (const name of ["token", "access_token"]) {
      const refused = await server.ask("GET", `/api/status?${name}=${server.token}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: "token-in-query" } } });
    }
  });

  test("every operation except the open and the signed ones requires the token", async () => {
    for (const { method, path, access, id } of OPERATIONS) {
      const bare = path.replace(/\{\w+\}/g, "x");
      const response = await fetch(`${server.url}${bare}`, { method });
      await response.body?.cancel();
      const status =
        { open: 200, login: 403, signed: 404 }[typeof access === "object" ? "signed" : (access as string)] ?? 401;
      expect([id, response.status]).toEqual([id, status]);
    }
  });

  test("only the owner can read the token file, and a new token replaces the old one at once", async () => {
    expect((await box.run("stat", "-c", "%a", `${box.state}/server-token`)).stdout.trim()).toBe("600");
    expect((await box.ralph("serve", "--token")).stdout.trim()).toBe(server.token);
    const old = server.token;
    const { stdout } = await box.ralph("serve", "--token", "--new-token");
    expect(stdout.trim()).toMatch(/^[\w-]{43}$/);
    expect(stdout.trim()).not.toBe(old);
    expect((await server.ask("GET", "/api/status")).status).toBe(401);
    server.token = stdout.trim();
    const authorization = `Bearer ${server.token}`;
    expect((await server.ask("GET", "/api/status", undefined, { authorization })).status).toBe(200);
    box.write(`${box.state}/server-token`, `${old}\n`);
    expect((await server.ask("GET", "/api/status")).status).toBe(200);
    server.token = old;
  });
});

describe("requests", () => {
  test.each<[string, string, string, unknown, Record<string, string>, number, string]>([
    ["invalid JSON", "POST", "/test/message", "{", {}, 400, "malformed-json"],
    ["another kind of body", "POST", "/test/message", "x=1", { "content-type": "text/plain" }, 415, "not-json"],
    ["a missing key", "POST", "/test/message", { message: "x" }, {}, 400, "bad-request"],
    ["an unknown key", "POST", "/test/message", { conversationId: "a", message: "x", more: 1 }, {}, 400, "bad-request"],
    ["an empty body", "POST", "/test/message", { conversationId: "a", message: "  " }, {}, 400, "bad-request"],
    [
      "a message of the wrong kind",
      "POST",
      "/test/message",
      { conversationId: "a", message: 5 },
      {},
      400,
      "bad-request",
    ],
    ["a list as a body", "POST", "/test/message", [], {}, 400, "bad-request"],
    [
      "a login with more than a code",
      "POST",
      "/api/session",
      { code: "x".repeat(5_000) },
      { "sec-fetch-site": "same-origin" },
      413,
      "too-large",
    ],
    ["a body that is too large", "POST", "/test/message", `"${"x".repeat(1 << 20)}"`, {}, 413, "too-large"],
    ["an unknown query parameter", "GET", "/api/loops?lmit=3", undefined, {}, 400, "bad-request"],
    ["a duplicate query parameter", "GET", "/api/loops?limit=3&limit=4", undefined, {}, 400, "bad-request"],
    ["an invalid limit", "GET", "/api/loops?limit=1e9", undefined, {}, 400, "bad-request"],
    ["an unknown loop", "GET", "/api/loops/ffffffff", undefined, {}, 404, "loop-unknown"],
    ["an unknown run", "GET", "/api/runs/ffffffff", undefined, {}, 404, "run-unknown"],
    ["an unknown task", "GET", "/api/tasks/NONE", undefined, {}, 404, "task-unknown"],
    ["an unknown spec", "GET", "/api/specs/none", undefined, {}, 404, "spec-unknown"],
    ["an unknown receipt", "GET", "/api/receipts/ffffffff", undefined, {}, 404, "receipt-missing"],
    ["an unknown workflow", "GET", "/api/workflows/none", undefined, {}, 404, "workflow-unknown"],
    ["an unknown attempt", "GET", "/api/loops/last/attempts/9/1", undefined, {}, 404, "attempt-unknown"],
    [
      "a platform that is not configured",
      "POST",
      "/webhook/message",
      { conversationId: "a", message: "x" },
      {},
      404,
      "platform-missing",
    ],
    ["an unknown path", "GET", "/api/nothing", undefined, {}, 404, "no-such-path"],
    ["another method", "DELETE", "/api/loops", undefined, {}, 405, "method"],
  ])("%s is refused with its reason", async (_what, method, path, body, headers, status, code) => {
    const refused = await server.ask(method, path, body, headers);
    expect(refused).toMatchObject({ status, body: { error: { code } } });
    expect(JSON.stringify(refused.body)).not.toMatch(/\bat .*\.(js|ts):\d/);
  });

  test("a body without a length is still cut off", async () => {
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((done) => setTimeout(done, 1));
        controller.enqueue(new TextEncoder().encode("x".repeat(65_536)));
      },
    });
    const sending = fetch(`${server.url}/test/message`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body,
      ...{ duplex: "half" },
    });
    expect(
      await sending.then(
        ({ status }) => status,
        () => "cut off",
      ),
    ).toSatisfy((end) => end === 413 || end === "cut off");
    expect((await server.ask("GET", "/health")).status).toBe(200);
  });

  test("a HEAD request for a stream, or an aborted body, leaves nothing behind", async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    for (let i = 0; i < 70; i++) {
      expect((await fetch(`${server.url}/events`, { method: "HEAD", headers })).status).toBe(200);
    }
    await expect.poll(() => server.get("/api/status")).toMatchObject({ events: { clients: 0 } });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head = ["POST /test/message HTTP/1.1", `host: ${hostname}`, `authorization: ${headers.authorization}`];
    socket.write([...head, "content-type: application/json", "content-length: 9", "", "{"].join("\r\n"));
    await new Promise((done) => setTimeout(done, 200));
    socket.destroy();
    expect((await server.ask("GET", "/health")).status).toBe(200);
  });

  test("a client that sends several requests before it reads a response is cut off", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    const closed = new Promise((done) => socket.once("close", () => done("cut off")));
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    const text = ["GET / HTTP/1.1", `host: ${hostname}`, "", ""].join("\r\n");
    socket.write(text.repeat(50));
    expect(await closed).toBe("cut off");
    expect(received.split("HTTP/1.1 200").length).toBeLessThan(5);
    // One after the other is fine.
    for (let n = 0; n < 3; n++) expect((await server.ask("GET", "/health")).status).toBe(200);
  });

  const EVIL = [
    "..",
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f%2e%2e",
    "/etc/passwd",
    "a%00b",
    "README",
    "C:%5cx",
    "~root",
    "server-token",
    "last.json",
    "x".repeat(5_000),
  ];

  /** Every path with one of its ids replaced by a malicious one, once plain and once encoded. */
  const evilPaths = ({ path, params }: (typeof OPERATIONS)[number]): string[] =>
    Object.keys(params).flatMap((name) =>
      EVIL.flatMap((evil) => [evil, encodeURIComponent(evil)]).map((evil) =>
        path.replace(/\{(\w+)\}/g, (_, other: string) =>
          other === name ? evil : ["iteration", "attempt"].includes(other) ? "1" : "last",
        ),
      ),
    );

  test("no id of a path leads to a file", async () => {
    const asked = OPERATIONS.flatMap((operation) => evilPaths(operation).map((path) => ({ ...operation, path })));
    expect(asked.length).toBeGreaterThan(400);
    for (const { id, path, method } of asked) {
      const { status, body } = await raw(server, path, { method });
      // A conversation may have any name, and is then empty.
      const isSilent = status === 200 && body.includes('"messages":[]');
      // Without its dots, it may be a path of the dashboard: the same page for all.
      const isPage = status === 200 && body.startsWith("<!doctype html>");
      expect([id, path, isSilent || isPage || [400, 404, 405, 415].includes(status)]).toEqual([id, path, true]);
      expect(body).not.toMatch(/root:|hello/);
      expect(body).not.toContain(server.token);
    }
  });
});
