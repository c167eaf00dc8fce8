import { expect, test, vi } from "vitest";
import { hosted } from "../../support/hosted.ts";
import type { Call } from "../../support/model-server/dialect.ts";
import type { Step } from "../../support/model-server.ts";
import { PATIENT } from "../../support/patience.ts";
import type { Sandbox } from "../../support/sandbox.ts";

const claim = (words: string): Step => ({ text: `${words}\n\n<promise>DONE</promise>` });
const hello = (box: Sandbox): Step => ({ text: "I will.", write: { path: box.path("hello.txt"), content: "hello" } });

/** All prompts to the agent in a request. */
const told = (call: Call | undefined): string => call?.messages.map(({ text }) => text).join("\n") ?? "";

test.concurrent("a loop continues until its promise is proven", async ({ onTestFinished }) => {
  const steps = (box: Sandbox) => [claim("At once."), hello(box), claim("Written.")];
  const { box, server, say, status } = await hosted("codex", steps, onTestFinished);
  const { code, session, stdout } = await say('/ralph "Write hello" --verify "test -f hello.txt" --max-iterations 5');
  expect(code).toBe(0);
  // Complaints about our hooks are printed at every start.
  expect(stdout).not.toContain("hooks.json");
  expect(await status()).toMatchObject({ reason: "verified", iteration: 2, tokens: 360, sessionId: session });
  expect(server.requests).toHaveLength(3);
  const [first, second] = server.requests;
  expect(told(first)).toMatch(/Write hello.*<promise>DONE<\/promise>.*asks for verification/s);
  expect(told(second)).toMatch(/\[RALPH LOOP - ITERATION 2\/5\].*test -f hello\.txt.*exit code 1/s);
  expect((await box.ralph("why")).stdout.match(/^iteration \d+$/gm)).toEqual(["iteration 1", "iteration 2"]);
});

test.concurrent("quoted promises end nothing, the maximum does, and there is no earlier cap", async ({
  onTestFinished,
}) => {
  const steps = (): Step[] => [
    { text: "When it is done I will say `<promise>DONE</promise>`." },
    { text: "The tests still fail, so I cannot say <promise>DONE</promise> yet." },
  ];
  const { server, say, status } = await hosted("codex", steps, onTestFinished);
  await say("$ralph Make the tests pass --max-iterations=12");
  expect(await status()).toMatchObject({ reason: "iteration-limit", iteration: 12, tokens: 1440 });
  expect(server.requests).toHaveLength(12);
});

test.concurrent("other sessions are left alone, and a loop continues without its host after that dies", async ({
  onTestFinished,
}) => {
  const steps = (box: Sandbox): Step[] => [
    { text: "Working." },
    { hang: true },
    { text: "Hello." },
    hello(box),
    claim("Done."),
  ];
  const { box, server, say, open, status } = await hosted("codex", steps, onTestFinished);
  const dying = open("/ralph Do it");
  await vi.waitFor(() => expect(server.requests).toHaveLength(2), PATIENT);
  expect((await say("hello")).code).toBe(0);
  expect(server.requests).toHaveLength(3);
  expect(await status()).toMatchObject({ status: "running", iteration: 2 });
  dying.child.kill("SIGINT");
  await dying.ended;
  expect(await box.ralph("resume", "last")).toMatchObject({ code: 0 });
  expect(await status()).toMatchObject({ reason: "promise-only", iteration: 2 });
  expect(told(server.requests.at(-1))).toContain("Working.");
});

test.concurrent("a loop moves into a session, and the agent reports what was requested", async ({ onTestFinished }) => {
  const steps = (box: Sandbox): Step[] => [{ text: "No." }, hello(box), { text: "Second." }, claim("Third.")];
  const { box, server, say, status } = await hosted("codex", steps, onTestFinished);
  await say("/ralph-status");
  expect(told(server.requests[0])).toMatch(/tell the user exactly the following.*no ralph loop/is);
  expect(await box.ralph("run", "--prompt", "Do it", "-m", "1")).toMatchObject({ code: 1 });
  const { id } = Object(await status());
  const { session } = await say(`/ralph --resume ${id} --max-iterations 5`);
  expect(await status()).toMatchObject({ reason: "promise-only", iteration: 2, tokens: 360, sessionId: session });
});

test.concurrent("hooks installed for the user and for the project count once", async ({ onTestFinished }) => {
  const steps = (box: Sandbox): Step[] => [hello(box), { text: "One." }, { text: "Two." }, claim("Three.")];
  const { box, server, install, say, status } = await hosted("codex", steps, onTestFinished);
  await install("--user");
  await say("/ralph Do it --max-iterations 9");
  expect(await status()).toMatchObject({ reason: "promise-only", iteration: 3, tokens: 480 });
  expect(server.requests).toHaveLength(4);
  expect(told(server.requests[3]).split("<hook_prompt")).toHaveLength(3);
  expect(Object(await box.json("list"))).toHaveLength(1);
});

test.concurrent("tokens are counted against a price", async ({ onTestFinished }) => {
  const { box, say, status } = await hosted("codex", () => [{ text: "Working." }], onTestFinished);
  const settings = JSON.parse(box.read(".ralph/settings.json"));
  // 120 tokens cost 0.002 $.
  settings.agent.price = { input: 10, output: 50 };
  box.write(".ralph/settings.json", JSON.stringify(settings));
  await say("/ralph --max-cost 0.005 Do it");
  expect(await status()).toMatchObject({ reason: "cost-limit", tokens: 360, costUsd: expect.closeTo(0.006, 9) });
});
