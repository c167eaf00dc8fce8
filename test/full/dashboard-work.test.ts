import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { atEnd } from "../support/at-end.ts";
import { type Chromium, inChromium, openChromium, type Visitor, visitor } from "../support/browser.ts";
import { PATIENT } from "../support/patience.ts";
import { sandbox } from "../support/sandbox.ts";
import { type ShowcaseServer, serve } from "../support/showcase/server.ts";
import { type Showcase, showcase } from "../support/showcase.ts";

inChromium("work through the dashboard", () => {
  let show: Showcase;
  let server: ShowcaseServer;
  let chromium: Chromium;
  const finished = atEnd();

  beforeAll(async () => {
    show = await showcase(join(sandbox(finished).cwd, "show"), { live: true });
    server = await serve(show);
    chromium = await openChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.stop();
    await show?.stop();
  });

  const enter = async (path: string): Promise<Visitor> => {
    const visits = await visitor(chromium, server);
    onTestFinished(async () => {
      // Chromium reports what the server refuses.
      const problems = await visits.problems();
      expect(problems.filter((one) => !/the server responded with a status of (409|422)/.test(one))).toEqual([]);
      await visits.context.close();
    });
    await visits.visit(path);
    return visits;
  };
  const statusOf = (task: string) =>
    JSON.parse(show.ralph("task", "show", task, "--json")) as { status: string; held: boolean };
  const lane = (page: Page, name: RegExp) => page.getByRole("region", { name });

  test("a loop that runs elsewhere appears, proceeds and ends on the page without a reload", async () => {
    const { page } = await enter("/loops");
    await page.evaluate("globalThis.isTheSame = true");
    show.start("run", "Watch the shop at night", "--verify", "test -f src/watched.js", "--worktree", "-q");
    const row = page.getByRole("row").filter({ hasText: "Watch the shop at night" });
    await row.getByText(/running \(1\/10\)/).waitFor();
    await row
      .getByText(/^.*(src|test|README).*$/)
      .first()
      .waitFor();
    await row.getByRole("link").first().click();
    await page
      .getByText(/Reading .*\(\d+\)\./)
      .first()
      .waitFor();
    show.go("run");
    await page.getByText("verified", { exact: false }).first().waitFor();
    expect(await page.evaluate("globalThis.isTheSame")).toBe(true);
  });

  test("a task from the form: errors at their fields, then it is on the board and in the list", async () => {
    const { page } = await enter("/new");
    const create = page.getByRole("button", { name: /create/i });
    // Enter sends the form, as everywhere.
    await page.getByLabel("Title", { exact: false }).first().press("Enter");
    const title = page.getByLabel("Title", { exact: false }).first();
    await expect.poll(() => title.getAttribute("aria-invalid"), PATIENT).toBe("true");
    // The first wrong field has the focus, and its error describes it.
    expect(await page.evaluate("document.activeElement.name")).toBe("title");
    const wrong = await page.getByRole("alert").allInnerTexts();
    expect(wrong.length).toBeGreaterThanOrEqual(3);
    await title.fill("Wrap presents <b>nicely</b>");
    await page.getByLabel("Id", { exact: true }).fill("CART-1");
    await page.getByLabel(/^Outcome/).fill("Presents are wrapped");
    await page.getByLabel(/^Criterion 1/).fill("There is paper");
    await page.getByLabel("Command", { exact: true }).first().fill("test -f paper.txt");
    await create.click();
    // What only the server knows is shown at its field too.
    await expect.poll(() => page.getByLabel("Id", { exact: true }).getAttribute("aria-invalid"), PATIENT).toBe("true");
    await page.getByLabel("Id", { exact: true }).fill("GIFT-1");
    await create.click();
    await page.getByRole("heading", { name: "Board", level: 1 }).waitFor();
    await lane(page, /^Todo/).getByRole("link", { name: "Wrap presents <b>nicely</b>" }).waitFor();
    const listed = JSON.parse(show.ralph("task", "show", "GIFT-1", "--json"));
    expect(listed).toMatchObject({
      title: "Wrap presents <b>nicely</b>",
      status: "todo",
      completion_spec: {
        outcome: "Presents are wrapped",
        acceptance_criteria: [{ text: "There is paper", check: "test -f paper.txt" }],
      },
    });
  });

  test("cancel asks first, stops the agent, and the task is held", async () => {
    const { page } = await enter("/tasks/STOCK-1");
    await page.getByRole("button", { name: /^Cancel/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
    expect(statusOf("STOCK-1").status).toBe("reviewing");
    await page.getByRole("button", { name: /^Cancel/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Cancel/ })
      .click();
    await page.getByText("held", { exact: true }).first().waitFor();
    await expect.poll(() => statusOf("STOCK-1"), PATIENT).toMatchObject({ status: "todo", held: true });
  });

  test("retry makes a blocked task ready", async () => {
    const { page } = await enter("/tasks/RETURN-1");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => statusOf("RETURN-1").status, PATIENT).toBe("todo");
    // A task that is ready has nothing to retry.
    await page.getByRole("button", { name: "Retry" }).waitFor({ state: "detached" });
  });

  test("a proposed task is accepted only after its commands were shown, and only as it was shown", async () => {
    const command = "grep -q expires src/coupon.js";
    const { page } = await enter("/board");
    const dialog = page.getByRole("dialog", { name: "Accept COUPON-9?" });
    const ask = async () => {
      await page.getByRole("button", { name: "Actions for COUPON-9" }).click();
      await page.getByRole("button", { name: "Accept…" }).click();
      await dialog.getByText(command, { exact: true }).waitFor();
    };
    await ask();
    await dialog.getByRole("button", { name: "Back" }).click();
    expect(statusOf("COUPON-9").status).toBe("proposed");
    await ask();
    show.ralph("task", "update", "COUPON-9", "--priority", "2");
    await dialog.getByRole("button", { name: "Accept the task" }).click();
    await page.getByText("COUPON-9 was changed since its page was shown").waitFor();
    expect(statusOf("COUPON-9").status).toBe("proposed");
    await page.goto(`${server.url}/tasks/COUPON-9`);
    await page.getByText(command, { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Accept…" }).click();
    await dialog.getByRole("button", { name: "Accept the task" }).click();
    await expect.poll(() => statusOf("COUPON-9").status, PATIENT).toBe("todo");
  });

  test("an execution is stopped, and another one started", async () => {
    const { page } = await enter("/board");
    await page.getByRole("button", { name: /^Stop/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^Stop/ }).click();
    const start = page.getByRole("button", { name: "Start an execution" });
    await start.waitFor();
    expect(statusOf("SHIP-1").status).toBe("implementing");
    await start.click();
    const dialog = page.getByRole("dialog");
    const tasks = dialog.getByLabel("Only these tasks");
    await tasks.fill("TAX-1");
    const sent = await held(page, "**/api/executions");
    await tasks.press("Enter");
    await tasks.press("Enter");
    // Playwright itself would wait until the button is not busy.
    await dialog.getByRole("button", { name: "Start" }).click({ force: true });
    await sent.release();
    await dialog.waitFor({ state: "detached" });
    expect(sent.count()).toBe(1);
    await lane(page, /^Implementing/)
      .getByText("TAX-1")
      .waitFor();
    await show.until("an agent at the tax", () => show.calls("TAX-1 coder") > 0);
    show.go("TAX-1");
    await lane(page, /^Done/).getByText("TAX-1").waitFor();
    expect(statusOf("TAX-1").status).toBe("done");
  });

  test("a workflow starts with a message, and its conversation is on the page", async () => {
    const { page } = await enter("/workflows");
    await page.getByRole("link", { name: "gift cards" }).first().waitFor();
    await page.getByRole("button", { name: "Start build" }).click();
    await page.getByLabel("Message to build").fill("more gift cards");
    await page.getByRole("button", { name: "Start the workflow" }).click();
    await page.getByText("more gift cards").first().waitFor();
    await page.getByText("Paying with it works.", { exact: false }).first().waitFor();
    const sent = await held(page, "**/test/message");
    const message = page.getByLabel("Message", { exact: true });
    await message.fill("status");
    await message.press("Control+Enter");
    await message.press("Control+Enter");
    await sent.release();
    await expect.poll(() => message.inputValue(), PATIENT).toBe("");
    expect(sent.count()).toBe(1);
  });
});

/** Requests that wait until they are released, and how many there were. */
async function held(page: Page, path: string): Promise<{ count(): number; release(): Promise<void> }> {
  const waiting: Route[] = [];
  let isReleased = false;
  await page.route(path, (route) => {
    waiting.push(route);
    if (isReleased) return route.continue();
  });
  return {
    count: () => waiting.length,
    async release() {
      await expect.poll(() => waiting.length, PATIENT).toBeGreaterThan(0);
      isReleased = true;
      await Promise.all(waiting.map((route) => route.continue()));
    },
  };
}
