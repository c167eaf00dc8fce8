import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { atEnd } from "../support/at-end.ts";
import { type Chromium, inChromium, openChromium, visitor } from "../support/browser.ts";
import { PATIENT } from "../support/patience.ts";
import { sandbox } from "../support/sandbox.ts";
import { type ShowcaseServer, serve } from "../support/showcase/server.ts";
import { type Showcase, showcase } from "../support/showcase.ts";

inChromium("a loop with 100,000 lines of output", () => {
  let show: Showcase;
  let server: ShowcaseServer;
  let chromium: Chromium;
  const finished = atEnd();
  beforeAll(async () => {
    show = await showcase(join(sandbox(finished).cwd, "show"), { output: true, tasks: false });
    server = await serve(show);
    chromium = await openChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.stop();
  });

  test("scrolls to any line, keeps few of them in the page, and finds one", async () => {
    const { loops } = await server.ask<{ loops: { id: string; title: string }[] }>("/api/loops");
    const { page, visit, problems, context } = await visitor(chromium, server);
    onTestFinished(() => context.close());
    await visit(`/loops/${loops.find(({ title }) => title === "Print a lot")?.id}`);
    const output = page.getByRole("log", { name: /output/i });
    await output.getByText("line 100000 of 100000").waitFor();
    const scroll = (share: number) =>
      page.evaluate(`(() => {
        const list = document.querySelector("[role='log']");
        list.scrollTo({ top: list.scrollHeight * ${share} });
      })()`);
    for (const share of [0, 0.5, 0.25, 0.9]) {
      await scroll(share);
      const wanted = Math.max(1, 100_000 * share);
      await expect
        .poll(() => linesIn(output).then((lines) => lines.some((n) => Math.abs(n - wanted) < 500)), PATIENT)
        .toBe(true);
      expect((await linesIn(output)).length).toBeLessThan(500);
    }
    // The keyboard scrolls it, too.
    await output.focus();
    await page.keyboard.press("Home");
    await output.getByText("line 1 of 100000").waitFor();
    await page.getByRole("searchbox", { name: "Filter lines" }).fill("line 77777 of");
    await output.getByText("line 77777 of 100000").waitFor();
    await expect.poll(() => linesIn(output), PATIENT).toEqual([77_777]);
    expect(await problems()).toEqual([]);
  });
});

const linesIn = async (output: { innerText(): Promise<string> }): Promise<number[]> =>
  [...(await output.innerText()).matchAll(/line (\d+) of/g)].map(([, n]) => Number(n));
