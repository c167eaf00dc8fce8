import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf, exchange, logIn, newCode, secretsOf } from "./support/browser-session.ts";
import { PATIENT } from "./support/patience.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { bare, OPERATIONS, type Serving, serving, startServer } from "./support/serve.ts";

const cleanUps: (() => void)[] = [];
let box: Sandbox;
let server: Serving;

beforeAll(async () => {
  box = sandbox((cleanUp) => cleanUps.push(cleanUp));
  server = await serving(box);
});

afterAll(async () => {
  const ended = await server?.stop();
  expect(ended?.stdout).not.toContain("because of a bug");
  for (const cleanUp of cleanUps) cleanUp();
});

describe("logging in", () => {
  test("a code gives one session, whose cookie belongs to this server's port", async () => {
    const code = await newCode(server);
    const answered = await exchange(server, code);
    const { port } = new URL(server.url);
    expect(JSON.parse(answered.body)).toEqual({
      key: expect.stringMatching(/^[\w-]{43}$/),
      viewer: false,
      repository: basename(box.cwd),
    });
    expect(answered.headers["set-cookie"]).toEqual([
      expect.stringMatching(
        new RegExp(`^ralph-${port}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    expect(await exchange(server, code)).toMatchObject({ status: 401, code: "code-refused" });
  });

  test("behind a proxy with TLS, the cookie is for TLS only", async () => {
    const { host } = new URL(server.url);
    const answered = await exchange(server, await newCode(server), { origin: `https://${host}` });
    expect(answered.headers["set-cookie"]?.[0]).toMatch(/; Secure$/);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ["with an empty origin", { origin: "" }, 403, "origin-refused"],
    ["from another port", { origin: "http://127.0.0.1:1" }, 403, "origin-refused"],
    ["from another site", { origin: "https://evil.example" }, 403, "origin-refused"],
    ["from a page without an origin", { origin: "null" }, 403, "origin-refused"],
    ["as a form", { "content-type": "text/plain" }, 415, "not-json"],
    ["under another host name", { host: "evil.example" }, 421, "host-refused"],
  ])("%s, a code is refused and stays valid", async (_what, headers, status, refused) => {
    const code = await newCode(server);
    expect(await exchange(server, code, headers)).toMatchObject({ status, code: refused });
    expect(await exchange(server, code)).toMatchObject({ status: 200 });
  });

  test("a program that sends no origin at all needs the token instead", async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ code: await newCode(server) });
    const asked = await bare(server.url, "/api/session", { method: "POST", headers, body });
    expect(asked).toMatchObject({ status: 403, code: "origin-required" });
    const fromPage = { ...headers, "sec-fetch-site": "same-origin" };
    expect(await bare(server.url, "/api/session", { method: "POST", headers: fromPage, body })).toMatchObject({
      status: 200,
    });
  });

  test("only the token creates links", async () => {
    const headers = { ...secretsOf(await logIn(server)), origin: server.url, "content-type": "application/json" };
    const asked = await bare(server.url, "/api/login-links", { method: "POST", headers, body: "{}" });
    expect(asked).toMatchObject({ status: 403, code: "token-only" });
  });
});

describe("a session", () => {
  test("needs its cookie and its key in every request, streams included", async () => {
    const [mine, other] = [await logIn(server), await logIn(server)];
    const { cookie } = mine;
    const [name = ""] = cookie.split("=");
    for (const path of ["/api/status", "/api/session", "/events"]) {
      for (const headers of [
        {},
        { cookie },
        { "x-ralph-key": mine.key },
        { cookie, "x-ralph-key": other.key },
        { cookie, "x-ralph-key": cookie.slice(name.length + 1) },
        { cookie: `ralph-1${cookie.slice(name.length)}`, "x-ralph-key": mine.key },
        { cookie: `${name}=${mine.key}`, authorization: `Bearer ${mine.key}` },
        { cookie, "x-ralph-key": mine.key, authorization: "Bearer wrong" },
      ]) {
        expect(await bare(server.url, path, { headers })).toMatchObject({ status: 401, code: "unauthorized" });
      }
    }
    expect(await bare(server.url, "/api/session", { headers: secretsOf(mine) })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"viewer":false'),
    });
    // A server on another port can set more cookies, but not take the place of this one.
    const planted = { ...secretsOf(mine), cookie: `a=b; ${name}=planted; ${cookie}` };
    expect((await bare(server.url, "/api/status", { headers: planted })).status).toBe(200);
  });

  test.each([
    ["another site", { origin: "https://evil.example" }, 403],
    ["a page on another port", { origin: "http://127.0.0.1:1" }, 403],
    ["a host name that leads here", { host: "evil.example" }, 421],
  ])("is not accepted from %s", async (_what, headers, status) => {
    const asked = await bare(server.url, "/api/status", { headers: { ...secretsOf(await logIn(server)), ...headers } });
    expect(asked.status).toBe(status);
  });

  test("changes something only from the dashboard's own page", async () => {
    const headers = { ...secretsOf(await logIn(server)), "content-type": "application/json" };
    const body = JSON.stringify({ conversationId: "a", message: "status" });
    const send = (more: Record<string, string>) =>
      bare(server.url, "/test/message", { method: "POST", headers: { ...headers, ...more }, body });
    expect(await send({})).toMatchObject({ status: 403, code: "origin-required" });
    expect(await send({ "sec-fetch-site": "none" })).toMatchObject({ status: 403, code: "origin-required" });
    expect(await send({ "sec-fetch-site": "same-origin" })).toMatchObject({ status: 202 });
    expect(await send({ origin: server.url })).toMatchObject({ status: 202 });
  });

  test("cannot be used by a server on another port, which gets the cookie", async () => {
    const mine = await logIn(server);
    const { cookie } = mine;
    const stolen: string[] = [];
    const other = createServer((request, response) => {
      stolen.push(request.headers.cookie ?? "");
      response.end("<script>…</script>");
    }).listen(0, "127.0.0.1");
    await new Promise((done) => other.once("listening", done));
    const { port } = other.address() as { port: number };
    // A browser sends it there, because cookies have no port; the key is in the storage of the dashboard's origin.
    await bare(`http://127.0.0.1:${port}`, "/", { headers: { cookie } });
    other.close();
    expect(stolen).toEqual([cookie]);
    const theirs = `http://127.0.0.1:${port}`;
    for (const headers of [
      { cookie },
      { cookie, origin: server.url, referer: `${server.url}/board`, "sec-fetch-site": "same-origin" },
      { cookie, "x-ralph-key": cookie.split("=")[1] ?? "" },
    ]) {
      expect(await bare(server.url, "/api/status", { headers })).toMatchObject({ status: 401, code: "unauthorized" });
      const post = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "{}" };
      expect(await bare(server.url, "/test/message", post)).toMatchObject({ status: 401 });
      expect(await bare(server.url, "/api/login-links", post)).toMatchObject({ status: 401 });
    }
    // Its pages may not even ask whether they may ask.
    const preflight = {
      origin: theirs,
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-ralph-key",
    };
    const asked = await bare(server.url, "/api/status", { method: "OPTIONS", headers: preflight });
    expect(asked.status).toBe(403);
    expect(Object.keys(asked.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("that is read-only may look at everything and change nothing", async () => {
    const viewer = await logIn(server, true);
    const headers = { ...secretsOf(viewer), origin: server.url, "content-type": "application/json" };
    expect(viewer.viewer).toBe(true);
    const shown = await bare(server.url, "/api/session", { headers });
    expect(JSON.parse(shown.body)).toEqual({ viewer: true, repository: basename(box.cwd) });
    const full = secretsOf(await logIn(server));
    const gets = OPERATIONS.filter(
      ({ method, answer, access }) => method === "GET" && access !== "raw" && !("media" in answer),
    );
    for (const { path, id } of gets) {
      const asked = [headers, full].map((own) => bare(server.url, path.replace(/\{\w+\}/g, "1"), { headers: own }));
      const [look, own] = await Promise.all(asked);
      expect([id, look?.status, look?.code]).toEqual([id, own?.status, own?.code]);
      expect([401, 403]).not.toContain(look?.status);
    }
    const changes = OPERATIONS.filter(({ method, access }) => method === "POST" && access === "act");
    expect(changes.length).toBeGreaterThan(5);
    for (const { path, id } of changes) {
      const asked = await bare(server.url, path.replace(/\{\w+\}/g, "1"), { method: "POST", headers, body: "{}" });
      expect([id, asked.status, asked.code]).toEqual([id, 403, "viewer"]);
    }
  });

  test("that is read-only does not get what looks like a secret, not even in a stream", async () => {
    const secret = "abc123-of-the-test";
    box.program("leaky", `echo 'API_TOKEN=${secret}'; echo "<promise>DONE</promise>"`);
    await box.ralph("run", "--agent", "leaky", "--prompt", `Log in with password: ${secret}`);
    const readers = [secretsOf(await logIn(server)), secretsOf(await logIn(server, true))];
    for (const path of ["/api/loops/last", "/api/loops/last/entries"]) {
      const [full, masked] = await Promise.all(readers.map((headers) => bare(server.url, path, { headers })));
      expect([path, full?.body.includes(secret), masked?.body.includes(secret)]).toEqual([path, true, false]);
      expect(Object.keys(JSON.parse(masked?.body ?? ""))).toEqual(Object.keys(JSON.parse(full?.body ?? "")));
    }
    const [all, output] = await Promise.all(
      readers.map((headers) => bare(server.url, "/api/loops/last/output", { headers })),
    );
    expect(all?.body).toContain(secret);
    expect(output?.body).toBe(all?.body.replaceAll(secret, "***"));
    for (const path of ["/api/loops/last/attempts/1/1?after=7&limit=7", "/api/loops/last/output?raw=true"]) {
      const [whole, refused] = await Promise.all(readers.map((headers) => bare(server.url, path, { headers })));
      expect([path, whole?.status, refused?.status, refused?.code]).toEqual([path, 200, 403, "viewer"]);
    }
    const stop = new AbortController();
    const events = await fetch(`${server.url}/events?after=0`, { headers: readers[1] ?? {}, signal: stop.signal });
    let text = "";
    for await (const piece of events.body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.includes('"loop.stopped"')) break;
    }
    stop.abort();
    expect(text).toMatch(/^retry: 2000\nid: 0\n\nid: \d+\nevent: \w+\ndata: \{.*\}\n\n/);
    expect(text).toContain("password: ***");
    expect(text).not.toContain(secret);
  });

  test("that is read-only gets no half of a secret where the output is cut into pieces", async () => {
    const key = "ghp_0123456789abcdefghij";
    const own = sandbox((cleanUp) => cleanUps.push(cleanUp));
    // The log is read in pieces of 64 KiB; in a log of plain text, the key is at the end of the first one.
    own.program("leaky", `head -c 65520 /dev/zero | tr '\\0' x; echo; echo '${key}'; echo "<promise>DONE</promise>"`);
    await own.ralph("run", "--agent", "leaky", "--prompt", "x");
    const other = await serving(own);
    const readers = [secretsOf(await logIn(other)), secretsOf(await logIn(other, true))];
    const path = "/api/loops/last/output";
    const [full, masked] = await Promise.all(readers.map((headers) => bare(other.url, path, { headers })));
    await other.stop();
    const textOf = (lines = "") =>
      lines
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { text: string }).text)
        .join("");
    expect(textOf(full?.body)).toContain(`x\n${key}\n`);
    expect(textOf(masked?.body)).toBe(textOf(full?.body).replace(key, "***"));
  });

  test("that is read-only does not get secrets that an error quotes", async () => {
    const key = "ghp_0123456789abcdef";
    box.write(".ralph/workflows/leaky.yaml", `name: leaky\n${key}: 1\n`);
    const [full, masked] = await Promise.all(
      [await logIn(server), await logIn(server, true)].map((browser) =>
        bare(server.url, "/api/workflows/leaky", { headers: secretsOf(browser) }),
      ),
    );
    rmSync(join(box.cwd, ".ralph/workflows/leaky.yaml"));
    expect([full?.status, full?.body.includes(key)]).toEqual([422, true]);
    expect([masked?.status, masked?.body.includes(key), masked?.code]).toEqual([422, false, full?.code]);
    const missing = await bare(server.url, `/api/${key}`, { headers: secretsOf(await logIn(server, true)) });
    expect([missing.status, missing.body.includes(key)]).toEqual([404, false]);
  });

  test("ends when its browser logs out, with its streams and the next login", async () => {
    const mine = await logIn(server, true);
    const headers = { ...secretsOf(mine), origin: server.url };
    const stream = bare(server.url, "/events", { headers });
    await expect.poll(() => server.get("/api/status"), PATIENT).toMatchObject({ events: { clients: 1 } });
    const out = await bare(server.url, "/api/session/end", { method: "POST", headers });
    expect(out).toMatchObject({ status: 200, body: '{"ok":true}' });
    expect(out.headers["set-cookie"]?.[0]).toMatch(/^ralph-\d+=; Max-Age=0; Path=\//);
    expect((await stream).status).toBe(200);
    expect((await bare(server.url, "/api/session", { headers })).status).toBe(401);
  });
});

describe("the page", () => {
  test("every path of it gets the same shell, with the strictest headers", async () => {
    const shell = await bare(server.url, "/");
    expect(shell.status).toBe(200);
    expect(shell.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; font-src 'self'; " +
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types ralph",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    for (const path of ["/login?new", "/board", "/tasks/T-1.2", "/loops/abc?tab=diff"]) {
      expect(await bare(server.url, path)).toMatchObject({ status: 200, body: shell.body });
    }
    expect(await bare(server.url, "/board", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    const known = { headers: { "if-none-match": String(shell.headers.etag) } };
    expect(await bare(server.url, "/board", known)).toMatchObject({ status: 304, body: "" });
    expect(await bare(server.url, "/board", { method: "POST" })).toMatchObject({ status: 405 });
    expect(await bare(server.url, "/", { headers: { host: "evil.example" } })).toMatchObject({ status: 421 });
  });

  test("its files are immutable and have their types; nothing else is served", async () => {
    const { body } = await bare(server.url, "/");
    const [script = "", style = ""] = [/src="(\/assets\/[^"]+\.js)"/, /href="(\/assets\/[^"]+\.css)"/].map(
      (form) => form.exec(body)?.[1],
    );
    for (const [path, type] of [
      [script, "text/javascript; charset=utf-8"],
      [style, "text/css; charset=utf-8"],
    ]) {
      const { status, headers } = await bare(server.url, String(path), { headers: { "accept-encoding": "gzip, br" } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": type,
        "content-encoding": "gzip",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": expect.stringContaining("connect-src 'self'"),
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
      const head = await bare(server.url, String(path), { method: "HEAD" });
      expect([head.status, head.body, Number(head.headers["content-length"]) > 0]).toEqual([200, "", true]);
    }
    for (const path of [
      "/assets/",
      "/assets/../ralph.js",
      "/assets/..%2fralph.js",
      "/assets/%2e%2e/ralph.js",
      "/assets/..%5cralph.js",
      `${script}/../../metafile.json`,
      `${script}%00`,
      `${script}/`,
      `/assets//${script}`,
      "/assets/%00",
      "/assets/%ff",
      "//etc/passwd",
      "/../../etc/passwd",
      "/favicon.ico",
      "/metafile.json",
    ]) {
      const { status, headers, body } = await bare(server.url, path);
      // What a browser's address bar may contain is a page, which says that there is nothing.
      const isShell = status === 200 && body.startsWith("<!doctype html>") && !path.startsWith("/assets/..");
      expect([path, isShell || [401, 404].includes(status)]).toEqual([path, true]);
      if (!isShell) expect(headers["content-type"]).toContain("application/json");
    }
  });

  test("pages of other origins may link to it, and load nothing from it", async () => {
    for (const site of ["cross-site", "same-site"]) {
      for (const path of ["/", "/openapi.json", "/api/status"]) {
        const asked = { headers: { "sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" } };
        expect(await bare(server.url, path, asked)).toMatchObject({ status: 403, code: "origin-refused" });
      }
      const link = { headers: { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" } };
      expect(await bare(server.url, "/board", link)).toMatchObject({ status: 200 });
    }
  });

  test("paths of the API stay JSON, with and without a session", async () => {
    const headers = secretsOf(await logIn(server));
    for (const path of ["/api", "/api/nothing", "/test/nothing", "/events/x"]) {
      expect(await bare(server.url, path)).toMatchObject({ status: 401, code: "unauthorized" });
      expect(await bare(server.url, path, { headers })).toMatchObject({ status: 404, code: "no-such-path" });
    }
  });

  test("what a browser loads first is at most 100 kB", async () => {
    interface Output {
      imports: { path: string; kind: string }[];
    }
    const { outputs } = JSON.parse(readFileSync("dist/metafile.json", "utf8")) as { outputs: Record<string, Output> };
    const { body } = await bare(server.url, "/");
    const first = [...body.matchAll(/"\/assets\/[\w-]+\/([^"]+)"/g)].map(([, name]) => `dist/web/${name}`);
    const loaded = new Set(first);
    for (const path of loaded) {
      for (const { path: next, kind } of outputs[path]?.imports ?? [])
        if (kind === "import-statement") loaded.add(next);
    }
    const worker = Object.keys(outputs).filter((path) => /^dist\/web\/worker-/.test(path));
    const sizes = [...loaded, ...worker].map((path) => gzipSync(readFileSync(path), { level: 9 }).length);
    expect(loaded.size).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, gzipSync(body).length)).toBeLessThanOrEqual(100_000);
  });
});

describe("ralph serve", () => {
  test("prints a link, gives new ones while it runs, and logs browsers out with a new token and when it stops", async () => {
    const own = sandbox((cleanUp) => cleanUps.push(cleanUp));
    own.program("xdg-open", `printf '%s\\n' "$@" >> opened`);
    const first = startServer(own, ["--port", "0"]);
    await first.saw("/openapi.json");
    const url = own.read(`${own.state}/server.url`).trim();
    const { port } = new URL(url);
    const ended = await own.ralph("serve");
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    const [link = ""] = /http:\S+\/login\?[\w-]{8}#[\w-]{43}/.exec(ended.stderr) ?? [];
    expect(link.startsWith(`${url}/login?`)).toBe(true);
    expect(await exchange({ url }, codeOf(link))).toMatchObject({ status: 200 });
    const opened = await own.ralph("serve", "--open", "--viewer");
    expect(opened).toMatchObject({ code: 0, stdout: expect.stringContaining("(read-only)") });
    await expect.poll(() => own.exists("opened") && own.read("opened"), PATIENT).toMatch(/^http:\S+#[\w-]{43}\n$/);
    const given = own.read("opened").trim();
    expect(opened.stdout).toContain(given);
    expect(JSON.parse((await exchange({ url }, codeOf(given))).body)).toMatchObject({ viewer: true });

    const token = own.read(`${own.state}/server-token`).trim();
    const mine = await logIn({ url, token });
    const asked = () => bare(url, "/api/session", { headers: secretsOf(mine) });
    expect(await asked()).toMatchObject({ status: 200 });
    first.child.kill("SIGTERM");
    const { stdout } = await first.ended;
    const [printed = ""] = /http:\S+\/login\?[\w-]{8}#[\w-]{43}/.exec(stdout) ?? [];
    // In the meantime, the port may have been another program's, and with it what browsers keep for it.
    const again = await serving(own, ["--port", port]);
    expect(await asked()).toMatchObject({ status: 401 });
    expect(await exchange({ url }, codeOf(printed))).toMatchObject({ status: 401, code: "code-refused" });
    const fresh = secretsOf(await logIn({ url, token }));
    const streams = [fresh, { authorization: `Bearer ${token}` }].map((headers) => bare(url, "/events", { headers }));
    await expect.poll(() => again.get("/api/status"), PATIENT).toMatchObject({ events: { clients: 2 } });
    await own.ralph("serve", "--token", "--new-token");
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await bare(url, "/api/session", { headers: fresh })).toMatchObject({ status: 401 });
    expect(await again.stop()).toMatchObject({ code: 0 });
  });

  test("a browser that does not start leaves the printed link", async () => {
    const own = sandbox((cleanUp) => cleanUps.push(cleanUp));
    own.program("xdg-open", "exit 3");
    const running = startServer(own, ["--port", "0", "--open", "--viewer"]);
    await running.saw("cannot start a browser");
    await running.saw(/login\?[\w-]{8}#[\w-]{43} {2}\(read-only\)/);
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0 });
  });
});

test("wrong codes are limited, and reported to whoever runs the server", async () => {
  const wrong = () => exchange(server, "wrong");
  let last = await wrong();
  while (last.status === 401) last = await wrong();
  expect(last).toMatchObject({ status: 429, code: "codes-limited", headers: { "retry-after": expect.any(String) } });
  await server.saw("too many wrong sign-in codes");
  expect((await exchange(server, await newCode(server))).status).toBe(200);
});
