import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { atEnd } from "../support/at-end.ts";
import {
  barriers,
  type Chromium,
  inChromium,
  openChromium,
  overhangs,
  settled,
  tabWalk,
  type Visitor,
  visitor,
} from "../support/browser.ts";
import { PATIENT } from "../support/patience.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { HOSTILE } from "../support/showcase/hostile.ts";
import { type ShowcaseServer, serve } from "../support/showcase/server.ts";
import { type Showcase, showcase } from "../support/showcase.ts";

/** What opens a task on the board. */
const CARD = "main li a[href^='/tasks/']";
const PHONE = { width: 390, height: 844 };

/** Every page, and what its heading contains. */
const PAGES = [
  ["overview", "Overview"],
  ["board", "Board"],
  ["done task", "Take coupons in the cart"],
  ["running task", "Ship to every country"],
  ["blocked task", "Take back what does not fit"],
  ["proposed task", "Coupons that expire"],
  ["hostile task", "<script>"],
  ["loops", "Loops"],
  ["verified loop", "Make the tests pass"],
  ["stopped loop", "Translate every message"],
  ["running loop", "Watch the shop"],
  ["hostile loop", "Do this"],
  ["workflows", "Workflows"],
  ["run", ""],
  ["statistics", "Statistics"],
  ["new task", "New task"],
  ["unknown", "Not found"],
] as const;
type PageName = (typeof PAGES)[number][0];

inChromium("the dashboard", () => {
  let show: Showcase;
  let server: ShowcaseServer;
  let chromium: Chromium;
  let paths: Record<PageName, string>;
  const finished = atEnd();

  beforeAll(async () => {
    const box: Sandbox = sandbox(finished);
    show = await showcase(join(box.cwd, "show"), { live: true, hostile: true });
    server = await serve(show);
    chromium = await openChromium();
    paths = await pathsOf(server);
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.stop();
    await show?.stop();
  });
  const enter = async (options: Parameters<typeof visitor>[2] = {}): Promise<Visitor> => {
    const visits = await visitor(chromium, server, options);
    onTestFinished(() => visits.context.close());
    return visits;
  };

  test.each(PAGES)("%s: shows itself without an error, and again from its address", async (name, heading) => {
    const { page, visit, problems } = await enter();
    await visit(paths[name]);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText(), PATIENT).toContain(heading);
    await page.reload();
    await settled(page);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain(heading);
    expect(new URL(page.url()).pathname).toBe(paths[name]);
    expect(await problems()).toEqual([]);
  });

  test("nothing from another host is ever loaded, and no text of an agent becomes more than text", async () => {
    const { page, visit, problems } = await enter();
    for (const [name] of PAGES) {
      await visit(paths[name]);
      // What an agent printed never makes an element.
      expect(await page.locator("svg[onload], img[onerror], a[href^='javascript:'], main script").count()).toBe(0);
    }
    await visit(paths["hostile task"]);
    await page.getByText(HOSTILE.script, { exact: false }).first().waitFor();
    expect(await problems()).toEqual([]);
    expect(chromium.strangers).toEqual([]);
  });

  test.each(["light", "dark"] as const)("no page has a serious barrier in the %s theme", async (theme) => {
    const { page, visit } = await enter({ theme });
    const found: Record<string, string[]> = {};
    for (const [name] of PAGES) {
      await visit(paths[name]);
      const all = await barriers(page);
      if (all.length > 0) found[name] = all;
    }
    expect(found).toEqual({});
  });

  test("no page scrolls sideways on a phone", async () => {
    const { page, visit } = await enter({ size: PHONE });
    const found: Record<string, string[]> = {};
    for (const [name] of PAGES) {
      await visit(paths[name]);
      const all = await overhangs(page);
      if (all.length > 0) found[name] = all;
    }
    expect(found).toEqual({});
  });

  test("Tab reaches every control of every page, and its focus can be seen", async () => {
    const { page, visit } = await enter();
    const found: Record<string, unknown> = {};
    for (const [name] of PAGES) {
      await visit(paths[name]);
      const { reached, missed } = await tabWalk(page);
      const unseen = reached.filter(({ isVisible }) => !isVisible).map((one) => one.name);
      if (missed.length + unseen.length > 0 || reached.length === 0) found[name] = { missed, unseen };
    }
    expect(found).toEqual({});
  });

  test("a board without a mouse: arrows reach every card, Enter opens it, back returns", async () => {
    const { page, visit } = await enter();
    await visit("/board");
    const cards = await page.evaluate<string[]>(
      `[...document.querySelectorAll("${CARD}")].map((a) => a.getAttribute("href"))`,
    );
    const reached = new Set<string>();
    const here = () => page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''");
    await page.locator(`${CARD}[tabindex='0']`).focus();
    for (let lane = 0; lane < 7; lane++) {
      for (let up = 0; up < cards.length; up++) await page.keyboard.press("ArrowUp");
      for (let down = 0; down < cards.length; down++) {
        reached.add(await here());
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("ArrowRight");
    }
    expect([...reached].sort()).toEqual([...new Set(cards)].sort());
    const last = await here();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname, PATIENT).toBe(last);
    await page.goBack();
    await page.getByRole("heading", { name: "Board", level: 1 }).waitFor();
  });

  test("a dialog keeps the focus, Escape closes it, and the focus returns", async () => {
    const { page, visit } = await enter();
    await visit(paths["running task"]);
    const cancel = page.getByRole("button", { name: /cancel/i }).first();
    await cancel.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    for (let n = 0; n < 8; n++) {
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
        ),
      ).toBe(true);
    }
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const focused = () => page.evaluate("document.activeElement.textContent");
    await expect.poll(focused, PATIENT).toBe(await cancel.textContent());
  });

  test("deep links and the back button", async () => {
    const { page, visit } = await enter();
    await visit(paths["done task"]);
    await page
      .getByRole("navigation")
      .getByRole("link", { name: /^Loops/ })
      .click();
    await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Make the tests pass" }).first().click();
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText(), PATIENT)
      .toContain("Make the tests pass");
    await page.goBack();
    await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText(), PATIENT).toContain("Take coupons");
    await page.goForward();
    await page.getByRole("heading", { name: "Loops", level: 1 }).waitFor();
  });

  test("ten tabs are live with one stream", async () => {
    const { context, page, visit, problems } = await enter();
    await visit("/board");
    const tabs = [page];
    for (let n = 1; n < 10; n++) {
      const tab = await context.newPage();
      await tab.goto(`${server.url}/board`);
      await settled(tab);
      tabs.push(tab);
    }
    show.ralph("task", "add", "Seen in every tab");
    for (const tab of tabs) await tab.getByText("Seen in every tab").first().waitFor();
    expect(await problems()).toEqual([]);
  });

  describe("who is let in", () => {
    test("a link works once", async () => {
      const link = await server.link();
      const first = await chromium.browser.newContext();
      const second = await chromium.browser.newContext();
      onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
      const page = await first.newPage();
      await page.goto(link);
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      expect(page.url()).toBe(`${server.url}/`);
      const late = await second.newPage();
      await late.goto(link);
      await late.getByText("ralph serve --open", { exact: true }).waitFor();
    });

    test("without a session the page says how to get a link, and opens what was wanted after it", async () => {
      const context = await chromium.browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${server.url}${paths["done task"]}`);
      await page.getByText("ralph serve --open", { exact: true }).waitFor();
      await page.goto(await server.link());
      await expect.poll(() => new URL(page.url()).pathname, PATIENT).toBe(paths["done task"]);
    });

    test("a viewer has no buttons that change something, and their requests are refused", async () => {
      const { page, visit } = await enter({ viewer: true });
      for (const [name] of PAGES) {
        await visit(paths[name]);
        const buttons = page.getByRole("button", { name: /cancel|retry|resume|start|stop|create|accept/i });
        expect([name, await buttons.allInnerTexts()]).toEqual([name, []]);
      }
      const statuses = await page.evaluate<number[]>(`(async () => {
        const headers = { "X-Ralph-Key": localStorage.getItem("ralph-key"), "Content-Type": "application/json" };
        const post = (path, body) => fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
        const paths = ["/api/tasks/SHIP-1/cancel", "/api/tasks/RETURN-1/retry", "/api/executions", "/api/tasks", "/test/message"];
        return Promise.all(paths.map(async (path) => (await post(path, {})).status));
      })()`);
      expect(statuses).toEqual(statuses.map(() => 403));
      expect(show.calls("SHIP-1 coder")).toBe(3);
    });

    test("a server on another port that gets the cookie cannot use it, and no page reads the key", async () => {
      const { page, context } = await enter();
      let cookie = "";
      const other = createServer(({ headers }, response) => {
        cookie = headers.cookie ?? "";
        response.setHeader("content-type", "text/html").end("<title>an agent's own server</title>");
      });
      await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
      onTestFinished(() => void other.close());
      const { port } = other.address() as AddressInfo;
      const tab = await context.newPage();
      await tab.goto(`http://127.0.0.1:${port}/`);
      // The browser sends it to every port of the host.
      expect(cookie).toContain("ralph-");
      expect(await tab.evaluate("localStorage.length")).toBe(0);
      expect(await statusWith(server.url, { cookie })).toBe(401);
      const key = await page.evaluate<string>("localStorage.getItem('ralph-key')");
      expect(await statusWith(server.url, { "x-ralph-key": key })).toBe(401);
      expect(await statusWith(server.url, { cookie, "x-ralph-key": key })).toBe(200);
      // Nor can its page make the browser ask with it.
      const asked = await tab.evaluate<string>(
        `fetch("${server.url}/api/view", { credentials: "include" }).then((answer) => String(answer.status), () => "refused")`,
      );
      expect(asked).toBe("refused");
    });
  });
});

async function pathsOf({ ask }: ShowcaseServer): Promise<Record<PageName, string>> {
  const { loops } = await ask<{ loops: { id: string; title: string; task: unknown }[] }>("/api/loops?limit=500");
  const { runs } = await ask<{ runs: { id: string; workflow: string }[] }>("/api/runs");
  const loop = (title: string) => `/loops/${loops.find((one) => one.title.startsWith(title))?.id}`;
  return {
    overview: "/",
    board: "/board",
    "done task": "/tasks/CART-1",
    "running task": "/tasks/SHIP-1",
    "blocked task": "/tasks/RETURN-1",
    "proposed task": "/tasks/COUPON-9",
    "hostile task": "/tasks/EVIL-1",
    loops: "/loops",
    "verified loop": loop("Make the tests pass"),
    "stopped loop": loop("Translate every message"),
    "running loop": loop("Watch the shop"),
    "hostile loop": loop("Do this"),
    workflows: "/workflows",
    run: `/runs/${runs[0]?.id}`,
    statistics: "/stats",
    "new task": "/new",
    unknown: "/nowhere",
  };
}

function statusWith(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((done, fail) => {
    request(`${url}/api/view`, { headers }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .on("error", fail)
      .end();
  });
}
