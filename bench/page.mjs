// Rows about the dashboard: how fast what happens is on the page, with many loops; what a browser loads first.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { support } from "../test/support/showcase.mjs";
import { median } from "./measure.mjs";

const MANY = { tasks: 500, loops: 500, live: 50 };
const UPDATES = 100;

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const nowMs = () => performance.timeOrigin + performance.now();

/** Measures and adds the rows. */
export async function pageRows({ sandbox, row }) {
  const { cwd, env } = sandbox("page");
  mkdirSync(env.RALPH_STATE_DIR, { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd });
  const { bulk } = await support("showcase/bulk.ts");
  const many = await bulk({ cwd, state: env.RALPH_STATE_DIR }, MANY);
  const server = await serve(cwd, env);
  const browser = await chromium.launch({
    executablePath: execFileSync("sh", ["-c", "command -v chromium || command -v google-chrome"], {
      encoding: "utf8",
    }).trim(),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    await listing(server, row);
    const page = await firstLoad(browser, server, row);
    await updates(page, { many, server, row });
  } finally {
    await browser.close();
    server.child.kill("SIGTERM");
    many.close();
  }
}

/** A running server, and its token. */
async function serve(cwd, env) {
  const args = [resolve("dist/ralph.js"), "serve", "--port", "0", "--json"];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((done, fail) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      text += piece;
      const address = /"server\.listening","url":"([^"]+)"/.exec(text)?.[1];
      if (address) done(address);
    });
    child.once("close", () => fail(new Error(`no server: ${text}`)));
  });
  const headers = {
    authorization: `Bearer ${readFileSync(join(env.RALPH_STATE_DIR, "server-token"), "utf8").trim()}`,
    "content-type": "application/json",
  };
  const ask = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      headers,
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };
  return { child, url, ask };
}

async function listing({ ask }, row) {
  const times = [];
  for (let n = 0; n < 30; n++) {
    const began = performance.now();
    const { loops } = await ask(`/api/loops?limit=${MANY.loops}`);
    times.push(performance.now() - began);
    if (loops.length !== MANY.loops) throw new Error(`${loops.length} loops`);
  }
  const ms = median(times);
  row("`GET /api/loops?limit=500`, 50 of them running", `${ms.toFixed(1)} ms`, "≤ 50 ms", ms <= 50);
}

/** What a browser without a cache loads until the first page shows its data. */
async function firstLoad(browser, { url, ask }, row) {
  const page = await browser.newPage();
  let bytes = 0;
  const files = [];
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  client.on("Network.responseReceived", ({ requestId, response }) => files.push({ requestId, url: response.url }));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const file = files.find((one) => one.requestId === requestId);
    if (file && !file.url.startsWith(`${url}/api`)) bytes += encodedDataLength;
  });
  await page.goto((await ask("/api/login-links", {})).url);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.locator("[aria-busy='true']").first().waitFor({ state: "detached" });
  const kb = bytes / 1_000;
  row("first load of the dashboard, compressed", `${kb.toFixed(0)} kB in ${files.length} files`, "≤ 100 kB", kb <= 100);
  return page;
}

/** From before an entry is appended until the page has drawn what it changes. */
async function updates(page, { many, server: { url }, row }) {
  await page.goto(`${url}/loops`);
  await page.getByRole("link", { name: many.live[0] }).waitFor();
  const times = [];
  for (let n = 0; n < UPDATES; n++) {
    const loop = many.live[(n * 7) % many.live.length];
    const seen = page.evaluate(`(${whenDrawn})(${JSON.stringify(loop)})`);
    // Once the page watches.
    await page.waitForFunction("globalThis.isWatching === true");
    const began = nowMs();
    const iteration = await many.append(loop);
    const { text, atMs } = await seen;
    if (!text.includes(`(${iteration}`)) throw new Error(`${loop}: expected iteration ${iteration}, got ${text}`);
    times.push(atMs - began);
  }
  const [middle, p95] = [median(times), percentile(times, 0.95)];
  row(
    "an entry of one of 500 loops, 50 of them running, until it is on the page, median (95th percentile)",
    `${middle.toFixed(0)} ms (${p95.toFixed(0)} ms)`,
    "≤ 300 ms",
    p95 <= 300,
  );
}

/** Runs in the page: resolves after the frame in which the row of a loop has changed. */
const whenDrawn = `(loop) => new Promise((done) => {
  const row = document.querySelector('a[href="/loops/' + loop + '"]').closest("tr");
  const badge = () => /\\(\\d+[^)]*\\)/.exec(row.textContent)?.[0] ?? "";
  const before = badge();
  const watcher = new MutationObserver(() => {
    if (badge() === before) return;
    watcher.disconnect();
    globalThis.isWatching = false;
    requestAnimationFrame(() => setTimeout(() => done({ text: row.textContent, atMs: performance.timeOrigin + performance.now() })));
  });
  watcher.observe(row, { subtree: true, childList: true, characterData: true });
  globalThis.isWatching = true;
})`;
