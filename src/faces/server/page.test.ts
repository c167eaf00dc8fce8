import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type Page, pageIn } from "./page.ts";

function pageOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return pageIn(folder, ["/api/loops/{loop}", "/test/message", "/events", "/openapi.json", "/health"]);
}

const BUILT = {
  "page-AAAAAAAA.js": "start()",
  "page-BBBBBBBB.css": "main{}",
  "chunk-CCCCCCCC.js": "more()",
  "secret.txt": "not of the build",
  "page.js": "not of the build",
};
const get = (headers: Record<string, string> = {}, method = "GET") => ({ method, headers: new Headers(headers) });

test.each([
  ["/", true],
  ["/board", true],
  ["/tasks/T-1.2", true],
  ["/login", true],
  ["/assets/x", true],
  ["/api", false],
  ["/api/nothing", false],
  ["/test/x", false],
  ["/events", false],
  ["/health/x", false],
  ["/openapi.json", false],
  ["/favicon.ico", false],
  ["/.env", false],
])("%s is a path of the page: %s", (path, isPage) => {
  expect(pageOf(BUILT).isItsPath(path)).toBe(isPage);
});

test("the shell names the built files, and is asked for again each time", async () => {
  const page = pageOf(BUILT);
  const shell = page.answer(get(), "/board");
  const html = await shell.text();
  expect(html).toMatch(/<script type="module" src="\/assets\/[\w-]{12}\/page-AAAAAAAA\.js"><\/script>/);
  expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/[\w-]{12}\/page-BBBBBBBB\.css">/);
  expect(html).toMatch(/<html lang="en">[\s\S]*name="viewport"[\s\S]*name="color-scheme"[\s\S]*<title>/);
  // The policy forbids inline scripts and styles.
  expect(html).not.toMatch(/<style|style=|<script(?! type="module" src="\/assets\/[\w./-]+"><\/script>)| on\w+=/);
  expect(Object.fromEntries(shell.headers)).toMatchObject({
    "cache-control": "no-cache",
    "content-type": "text/html; charset=utf-8",
    "content-length": String(html.length),
  });
  const etag = shell.headers.get("etag") ?? "";
  const known = page.answer(get({ "if-none-match": `"other", ${etag}` }), "/");
  expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", etag]);
  expect(page.answer(get({ "if-none-match": '"other"' }), "/").status).toBe(200);
});

async function scriptOf(page: Page): Promise<string> {
  const html = await page.answer(get(), "/").text();
  return /src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? "";
}

test("after another start, its files are at other addresses; the page that signs in empties the cache", async () => {
  const [one, other] = [pageOf(BUILT), pageOf(BUILT)];
  const script = await scriptOf(one);
  expect(one.answer(get(), script).status).toBe(200);
  expect(other.answer(get(), script).status).toBe(404);
  expect(one.answer(get(), "/login").headers.get("clear-site-data")).toBe('"cache"');
  expect(one.answer(get(), "/board").headers.get("clear-site-data")).toBeNull();
});

test.each([
  ["gzip, deflate, br", true],
  ["br;q=1.0, gzip;q=0.5", true],
  ["", false],
  ["br", false],
  ["gzip;q=0", false],
  ["x-gzip-not", false],
])("accept-encoding %j: gzip %s", async (accepted, isZipped) => {
  const page = pageOf(BUILT);
  const answer = page.answer(get({ "accept-encoding": accepted }), await scriptOf(page));
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get("content-encoding")).toBe(isZipped ? "gzip" : null);
  expect(answer.headers.get("content-length")).toBe(String(body.length));
  expect((isZipped ? gunzipSync(body) : body).toString()).toBe("start()");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
});

test("nothing but the built files is served, and a build without a page says so", async () => {
  const page = pageOf(BUILT);
  const script = await scriptOf(page);
  const folder = script.slice(0, script.lastIndexOf("/") + 1);
  for (const path of ["secret.txt", "page.js", "../page.ts", "", "page-AAAAAAAA.js/", "page-AAAAAAAA.js%00"]) {
    expect([path, page.answer(get(), `${folder}${path}`).status]).toEqual([path, 404]);
  }
  expect(page.answer(get(), "/assets/page-AAAAAAAA.js").status).toBe(404);
  expect(page.answer(get({}, "POST"), "/").status).toBe(405);
  const none = pageOf({}).answer(get(), "/");
  expect([none.status, await none.text()]).toEqual([503, expect.stringContaining("npm run build")]);
});
