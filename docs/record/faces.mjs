// Takes the pictures of the board and the dashboard from a real run, into docs/:
//   node docs/record/faces.mjs               all of them
//   node docs/record/faces.mjs board         the recording of the terminal board only
//   node docs/record/faces.mjs dashboard     the screenshots of the dashboard only
// Needs chromium, and fonts for what the tasks' titles contain: apt-get install fonts-noto-color-emoji fonts-noto-cjk
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { support } from "../../test/support/showcase.mjs";
import { drawnScreens, screenOf } from "./screen.mjs";

const DOCS = resolve(import.meta.dirname, "..");
const RALPH = resolve(DOCS, "../dist/ralph.js");
const TERMINAL = { columns: 132, rows: 34 };

const [only] = process.argv.slice(2);
// Paths are on the pictures.
const root = realpathSync(mkdtempSync("/tmp/ralph-record-"));
const { showcase } = await support("showcase.ts");
const show = await showcase(root, { live: true, root: resolve(DOCS, "..") });
try {
  if (only !== "board") await dashboard();
  if (only !== "dashboard") await board();
} finally {
  await show.stop();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

async function dashboard() {
  for (const [what, pattern] of [
    ["Japanese", /cjk|noto sans jp/i],
    ["emoji", /emoji/i],
  ])
    if (!pattern.test(execFileSync("fc-list", { encoding: "utf8" })))
      throw new Error(`no font for ${what}: apt-get install fonts-noto-color-emoji fonts-noto-cjk`);
  const { serve } = await support("showcase/server.ts");
  const server = await serve(show);
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const { loops } = await server.ask("/api/loops?limit=100");
  const proven = loops.find(({ title }) => title === "Make the tests pass").id;
  const shots = [
    ["dashboard", "/board", { width: 1500, height: 820 }, "light"],
    ["dashboard-dark", "/", { width: 1360, height: 820 }, "dark"],
    ["dashboard-loop", `/loops/${proven}`, { width: 1360, height: 720 }, "light"],
    ["dashboard-phone", "/board", { width: 390, height: 780 }, "light"],
  ];
  for (const [name, path, viewport, colorScheme] of shots) {
    const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 1, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(await server.link());
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.goto(`${server.url}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("[aria-busy='true']").first().waitFor({ state: "detached" });
    await page.evaluate("document.fonts.ready.then(() => true)");
    await page.screenshot({ path: join(DOCS, `${name}.png`) });
    await context.close();
    console.log(`wrote docs/${name}.png`);
  }
  await browser.close();
  await server.stop();
}

/** A session at the board: a task in detail, the proof of one that ends meanwhile, what the keys do. */
async function board() {
  const { NO_COLOR, ...env } = show.env;
  const screen = screenOf(process.execPath, [RALPH, "board"], {
    cwd: show.cwd,
    env: { ...env, LANG: "C.UTF-8" },
    ...TERMINAL,
  });
  const frames = [];
  const keep = (seconds) => frames.push({ seconds, lines: screen.lines() });
  await screen.shows("Agents");
  await pause();
  keep(3);
  screen.type("\r");
  await screen.shows("A broken item is photographed");
  keep(4);
  screen.type("\u001b");
  await screen.shows("Agents");
  show.go("SEARCH-1");
  await show.until(
    "SEARCH-1 done",
    () => JSON.parse(show.ralph("task", "show", "SEARCH-1", "--json")).status === "done",
  );
  await pause();
  keep(3);
  screen.type("?");
  await pause();
  keep(3);
  await screen.close();
  const title = "ralph board: tasks in lanes, a task in detail, one that is merged meanwhile, and the keys";
  writeFileSync(join(DOCS, "board.svg"), drawnScreens(frames, { title, ...TERMINAL }));
  console.log("wrote docs/board.svg");
}

/** What follows a key is drawn at once. */
function pause() {
  return new Promise((done) => setTimeout(done, 500));
}
