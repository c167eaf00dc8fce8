import { accessSync, constants } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { describe, test } from "vitest";
import { PATIENT } from "./patience.ts";
import type { ShowcaseServer } from "./showcase/server.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser on PATH; undefined: there is none. */
const CHROMIUM = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isProgram);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Tests in a browser. Without one, the report names what was skipped, and why. */
export function inChromium(name: string, tests: () => void): void {
  describe.runIf(CHROMIUM)(name, tests);
  test.skipIf(CHROMIUM)(`SKIPPED, there is no chromium on PATH: ${name}`, () => console.warn(`skipped: ${name}`));
}

export interface Chromium {
  browser: Browser;
  /** Every request to another host, also of workers: they arrive at a proxy, which refuses them. */
  strangers: string[];
  close(): Promise<void>;
}

export async function openChromium(): Promise<Chromium> {
  const strangers: string[] = [];
  const proxy = await refusingProxy(strangers);
  const { port } = proxy.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: CHROMIUM ?? "",
    args: [
      `--proxy-server=http://127.0.0.1:${port}`,
      // Chromium refuses to run its sandbox as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
  return {
    ...{ browser, strangers },
    async close() {
      await browser.close();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** Hosts that Chromium asks by itself: for updates, before it fills in a form. No page of ours names any of them. */
const CHROMIUMS_OWN = /^(?:https?:\/\/)?(?:[\w-]+\.)*(?:google|googleapis|gstatic)\.com(?::\d+)?(?:\/|$)/;

function refusingProxy(strangers: string[]): Promise<Server> {
  const note = (url = "") => {
    if (!CHROMIUMS_OWN.test(url)) strangers.push(url);
  };
  const proxy = createServer(({ url }, response) => {
    note(url);
    response.writeHead(403).end();
  });
  proxy.on("connect", ({ url }, socket) => {
    note(url);
    // The browser may be gone already.
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  return new Promise((done) => proxy.listen(0, "127.0.0.1", () => done(proxy)));
}

/** A browser profile that is logged in, with one tab. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Goes to a page of the dashboard and waits until it shows its data. */
  visit(path: string): Promise<void>;
  /** What must never happen: errors, dialogs, violated policies, requests to others, scripts of others. */
  problems(): Promise<string[]>;
}

interface VisitorOptions {
  viewer?: boolean;
  theme?: "light" | "dark";
  size?: { width: number; height: number };
}

// Programs of the page are texts: the tests know no DOM.
const RECORD_VIOLATIONS = `globalThis.violations = [];
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
  globalThis.violations.push([violatedDirective, blockedURI, sample].join(" ")));`;
const MARKS = `[...globalThis.violations, ...("__ran" in globalThis ? ["a script of others ran"] : [])]`;

export async function visitor(
  { browser }: Chromium,
  server: ShowcaseServer,
  { viewer = false, theme = "light", size = { width: 1280, height: 800 } }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENT.timeout);
  await context.addInitScript({ content: RECORD_VIOLATIONS });
  const found: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (new URL(url).origin !== server.url && !url.startsWith("data:")) found.push(`request to ${url}`);
  });
  context.on("page", (page) => watch(page, found));
  const page = await context.newPage();
  await page.goto(await server.link(viewer));
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await settled(page);
  return {
    ...{ context, page },
    async visit(path) {
      await page.goto(`${server.url}${path}`);
      await settled(page);
    },
    async problems() {
      const marks = await Promise.all(context.pages().map((one) => one.evaluate<string[]>(MARKS)));
      return [...found, ...marks.flat()];
    },
  };
}

function watch(page: Page, found: string[]): void {
  page.on("dialog", (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => found.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") found.push(`console: ${message.text()}`);
  });
}

/** Resolves once a page shows its heading and loads nothing more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.locator("[aria-busy='true']").first().waitFor({ state: "detached" });
}

interface AxeViolation {
  id: string;
  impact: string;
  nodes: { target: unknown; failureSummary: string }[];
}

/** The serious violations of WCAG AA on a page, in words. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: AxeViolation[] }>(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
    );
}

/** What hangs over the right edge of the window; empty: nothing scrolls sideways. */
export const overhangs = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > width + 1)
      .map((one) => one.outerHTML.slice(0, 120));
  })()`);

interface Reached {
  name: string;
  isVisible: boolean;
}

/** Presses Tab until the focus has been everywhere. `missed`: controls that it does not reach. */
export async function tabWalk(page: Page): Promise<{ reached: Reached[]; missed: string[] }> {
  await page.evaluate(`(() => {
    document.activeElement?.blur();
    window.getSelection()?.removeAllRanges();
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const controls = "a[href], button:not([disabled]), input:not([disabled]), select, textarea, summary, [tabindex]";
    window.unreached = new Set([...document.querySelectorAll(controls)].filter((one) => shown(one) && one.tabIndex >= 0));
    window.reached = new Set();
  })()`);
  const reached: Reached[] = [];
  for (let n = 0; n < 400; n++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate<Reached | null>(FOCUSED);
    if (!at) break;
    reached.push(at);
  }
  const missed = await page.evaluate<string[]>(`[...window.unreached].map((one) => one.outerHTML.slice(0, 160))`);
  return { reached, missed };
}

/** The focused element, with whether its focus can be seen; null: it was reached before, or there is none. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body || window.reached.has(one)) return null;
  window.reached.add(one);
  window.unreached.delete(one);
  const isOutlined = (at, part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(at, part);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  };
  const isVisible = isOutlined(one) || isOutlined(one, "::after") || getComputedStyle(one).boxShadow !== "none";
  return { name: one.getAttribute("aria-label") || one.textContent.trim().slice(0, 40) || one.outerHTML.slice(0, 80), isVisible };
})()`;
