import { expect, test, vi } from "vitest";
import { hosted } from "../support/hosted.ts";
import type { Call } from "../support/model-server/dialect.ts";
import type { Step } from "../support/model-server.ts";
import type { Sandbox } from "../support/sandbox.ts";

const claim = (words: string): Step => ({ text: `${words}\n\n<promise>DONE</promise>` });
const hello = (box: Sandbox): Step => ({ text: "I will.", write: { path: box.path("hello.txt"), content: "hello" } });

/** All that was said to the agent in a request. */
const told = (call: Call | undefined): string => call?.messages.map(({ text }) => text).join("\n") ?? "";

test.concurrent("a loop goes on until its promise is proven", async ({ onTestFinished }) => {
  const steps = (box: Sandbox) => [claim("At once."), hello(box), claim("Written.")];
  const { box, server, say, status } = await hosted("claude", steps, onTestFinished);
  const { code, session, lines } = await say('/ralph "Write hello" --verify "test -f hello.txt" --max-iterations 5');
  expect(code).toBe(0);
  expect(await status()).toMatchObject({ reason: "verified", iteration: 2, tokens: 360, sessionId: session });
  expect(server.requests).toHaveLength(3);
  const [first, second] = server.requests;
  expect(told(first)).toMatch(/Write hello.*asks for verification.*<promise>DONE<\/promise>/s);
  expect(told(second)).toMatch(/Stop hook feedback:\n\[RALPH LOOP - ITERATION 2\/5\].*test -f hello\.txt.*exit code 1/s);
  expect(lines).toContainEqual(expect.objectContaining({ content: expect.stringContaining("Ralph Loop Complete!") }));
  expect((await box.ralph("why")).stdout.match(/^iteration \d+$/gm)).toEqual(["iteration 1", "iteration 2"]);
});
