import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { atEnd } from "../support/at-end.ts";
import { type Chromium, inChromium, openChromium } from "../support/browser.ts";
import { logIn, newCode, newLink, secretsOf } from "../support/browser-session.ts";
import { PATIENT } from "../support/patience.ts";
import { sandbox } from "../support/sandbox.ts";
import { bare, type Serving, serving } from "../support/serve.ts";

/** What a page of another port tries; each as the error's name, or what it got. */
const TRIES = `async (url) => {
  const tried = async (options) => {
    try {
      const response = await fetch(url + "/api/status", { credentials: "include", ...options });
      return response.type + " " + (await response.text());
    } catch (error) {
      return error.name;
    }
  };
  const loaded = (tag, source) =>
    new Promise((done) => {
      const element = document.createElement(tag);
      element.onload = () => done("loaded");
      element.onerror = () => done("refused");
      element.src = source;
      document.body.append(element);
    });
  return {
    read: await tried({}),
    readWithKey: await tried({ headers: { "x-ralph-key": "guessed" } }),
    blind: await tried({ mode: "no-cors" }),
    script: await loaded("script", url + "/openapi.json"),
    image: await loaded("img", url + "/"),
    keys: Object.keys(localStorage),
  };
}`;

/** Answers every page by itself, as the worker of a dev server may. */
const WORKER = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(new Response("<h1>kept by the worker</h1>", { headers: { "content-type": "text/html" } }));
});`;

inChromium("a server on another port", () => {
  let server: Serving;
  let chromium: Chromium;
  const finished = atEnd();
  beforeAll(async () => {
    server = await serving(sandbox(finished));
    chromium = await openChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.stop();
  });

  test("gets the cookie of the dashboard, and can do nothing with it, nor can its pages", async () => {
    const received: IncomingHttpHeaders[] = [];
    const other = createServer(({ headers }, response) => {
      received.push(headers);
      response.setHeader("content-type", "text/html").end("<h1>the agent's own server</h1>");
    }).listen(0, "127.0.0.1");
    await new Promise((done) => other.once("listening", done));
    const { port } = other.address() as { port: number };
    const context = await chromium.browser.newContext();
    const dashboard = await context.newPage();
    await dashboard.goto(`${server.url}/login#${await newCode(server)}`);
    await dashboard.getByRole("heading", { name: "Overview", level: 1 }).waitFor();

    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const [cookie] = await context.cookies();
    const sent = `${cookie?.name}=${cookie?.value}`;
    expect(received[0]?.cookie).toBe(sent);
    expect(await page.evaluate(`(${TRIES})("${server.url}")`)).toEqual({
      ...{ read: "TypeError", readWithKey: "TypeError", blind: "TypeError", script: "refused", image: "refused" },
      keys: [],
    });
    // What the server itself can send, with all headers of the browser's request.
    const headers = { cookie: sent, "user-agent": received[0]?.["user-agent"] ?? "", origin: server.url };
    for (const key of ["", cookie?.value ?? "", "guessed"]) {
      const asked = await bare(server.url, "/api/status", { headers: { ...headers, "x-ralph-key": key } });
      expect(asked).toMatchObject({ status: 401, code: "unauthorized" });
    }

    // The dashboard itself is still signed in, also after a reload.
    await dashboard.reload();
    await dashboard.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(
      await dashboard.evaluate(
        `fetch("/api/session", { headers: { "X-Ralph-Key": localStorage.getItem("ralph-key") } }).then((answer) => answer.json())`,
      ),
    ).toMatchObject({ viewer: false });
    await context.close();
    other.close();
  });

  test.each([
    "/sw.js",
    "/health",
  ])("that had the port before is removed from the browser: its worker %s", async (script) => {
    const other = createServer(({ url }, response) => {
      const isScript = url === script;
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? WORKER : "<h1>the earlier program</h1>");
    }).listen(0, "127.0.0.1");
    await new Promise((done) => other.once("listening", done));
    const { port } = other.address() as { port: number };
    const context = await chromium.browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate(`navigator.serviceWorker.register("${script}").then(() => navigator.serviceWorker.ready)`);
    await page.close();
    other.closeAllConnections();
    await new Promise((done) => other.close(done));

    const here = await serving(sandbox(finished), ["--port", String(port)]);
    const before = await logIn(here);
    const dashboard = await context.newPage();
    // The worker answers, and could have read the link.
    await dashboard.goto(`${here.url}/login#${await newCode(here)}`);
    const workers = `navigator.serviceWorker.getRegistrations().then((all) => all.length)`;
    await expect.poll(() => dashboard.evaluate(workers).catch(() => "busy"), PATIENT).toBe(0);
    expect((await bare(here.url, "/api/session", { headers: secretsOf(before) })).status).toBe(401);

    await dashboard.goto(await newLink(here));
    await dashboard.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await dashboard.reload();
    await dashboard.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect((await here.stop()).stdout).toContain("removed a service worker that another program");
    await context.close();
  });

  test("that had the port before does not answer from the browser's cache", async () => {
    const kept = { "content-type": "text/html", "cache-control": "public, max-age=31536000, immutable" };
    const other = createServer((_, response) => response.writeHead(200, kept).end("<h1>the earlier program</h1>"));
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    const { port } = other.address() as { port: number };
    const context = await chromium.browser.newContext();
    const page = await context.newPage();
    for (const path of ["/", "/login", "/board"]) await page.goto(`http://127.0.0.1:${port}${path}`);
    other.closeAllConnections();
    await new Promise((done) => other.close(done));

    const here = await serving(sandbox(finished), ["--port", String(port)]);
    await page.goto(await newLink(here));
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.goto(`${here.url}/board`);
    await page.getByRole("heading", { name: "Board", level: 1 }).waitFor();
    await here.stop();
    await context.close();
  });
});
