import { expect, test, vi } from "vitest";
import { expectNothingLeft } from "../../support/leftovers.ts";
import type { Call } from "../../support/model-server/dialect.ts";
import type { Step } from "../../support/model-server.ts";
import { type OpencodeServe, opencodeServe } from "../../support/opencode-serve.ts";
import { PATIENT } from "../../support/patience.ts";
import type { Sandbox } from "../../support/sandbox.ts";

vi.setConfig({ testTimeout: 120_000 });

const claim = (words: string): Step => ({ text: `${words}\n\n<promise>DONE</promise>` });
const hello = (box: Sandbox): Step => ({ text: "I will.", write: { path: box.path("hello.txt"), content: "hello" } });
const heard = (call: Call | undefined): string => call?.messages.findLast(({ role }) => role === "user")?.text ?? "";

/** Waits until the last loop has the given state. */
const becomes = ({ box }: OpencodeServe, expected: object) =>
  vi.waitFor(async () => expect(await box.json("status", "last")).toMatchObject(expected), PATIENT);

test("a session continues until its promise is proven", async ({ onTestFinished }) => {
  // Commands for users are refused to the agent of a loop.
  const cancel = (box: Sandbox): Step => ({ run: `node ${box.ralphPath} cancel last > refused 2>&1` });
  const steps = (box: Sandbox) => [cancel(box), { text: "Working." }, claim("At once."), hello(box), claim("Written.")];
  const serve = await opencodeServe(steps, onTestFinished);
  const { box, model } = serve;
  const session = await serve.open();
  await serve.type(session, "ralph", `"Write hello.txt" --verify "test -f hello.txt"`);
  await becomes(serve, { reason: "verified", iteration: 3, sessionId: session, tokens: 600 });
  expect(box.read("refused")).toContain("only the user may run ralph cancel");
  const [first, , second, third, fourth] = model.requests;
  expect(heard(first)).toMatch(/^Write hello\.txt\n.*<promise>DONE<\/promise>/s);
  expect(heard(second)).toMatch(/^\[RALPH LOOP - ITERATION 2\/100\]\n\nYour previous attempt did not output/);
  expect(heard(third)).toMatch(/^\[RALPH LOOP - ITERATION 3\/100\].*test -f hello\.txt.*exit code 1/s);
  expect(JSON.stringify(fourth)).toContain("At once.");
  // Only the user sees the loop's announcement; the agent gets only its task.
  expect(JSON.stringify(model.requests)).not.toContain("/ralph-status shows");
  expect((await serve.messages(session))[0]?.text).toContain("/ralph-status shows");
  await serve.stop();
  expect(model.requests).toHaveLength(5);
  expect(box.read("hello.txt")).toBe("hello");
});

test("status, mistakes and cancel are reported by the agent", async ({ onTestFinished }) => {
  const serve = await opencodeServe(
    () => [{ text: "As you say." }, { text: "As you say." }, { hang: true }],
    onTestFinished,
  );
  const session = await serve.open();
  await serve.type(session, "ralph", `--max-iterations=many`);
  await serve.type(session, "ralph-status");
  expect(heard(serve.model.requests[0])).toMatch(/tell the user exactly the following.*--max-iterations/s);
  expect(heard(serve.model.requests[1])).toContain("No Active Loop");
  const turn = serve.type(session, "ralph", "Do it");
  await becomes(serve, { reason: null, iteration: 1 });
  await serve.box.ralph("status", "last");
  await vi.waitFor(() => expect(serve.model.requests).toHaveLength(3), PATIENT);
  void serve.type(session, "cancel-ralph");
  await becomes(serve, { reason: "cancelled" });
  await serve.stop();
  await turn;
});

test("an abort cancels, and a deleted session interrupts", async ({ onTestFinished }) => {
  const serve = await opencodeServe(() => [{ hang: true }], onTestFinished);
  const { api, model } = serve;
  for (const [n, end, reason] of [
    [1, (session: string) => api("POST", `/session/${session}/abort`), "cancelled"],
    [2, (session: string) => api("DELETE", `/session/${session}`), "interrupted"],
  ] as const) {
    const session = await serve.open();
    // For a deleted session it never reports the end of the turn.
    void serve.type(session, "ralph", "Do it");
    await vi.waitFor(() => expect(model.requests).toHaveLength(n), PATIENT);
    await end(session);
    await becomes(serve, { reason, sessionId: session });
  }
  await serve.stop();
  expect(model.requests).toHaveLength(2);
});

test("two sessions of one folder run side by side", async ({ onTestFinished }) => {
  const serve = await opencodeServe(() => [{ text: "Working." }], onTestFinished, { onPath: true });
  expect(serve.box.read(".opencode/plugin/ralph.js")).not.toContain(serve.box.ralphPath);
  const sessions = [await serve.open(), await serve.open()];
  const tasks = ["Paint it red", "Paint it blue"];
  await Promise.all(sessions.map((id, at) => serve.type(id, "ralph", `"${tasks[at]}" --max-iterations 3`)));
  await vi.waitFor(async () => {
    expect(await serve.box.json("list")).toMatchObject([
      { reason: "iteration-limit", iteration: 3 },
      { reason: "iteration-limit", iteration: 3 },
    ]);
  }, PATIENT);
  for (const [at, id] of sessions.entries()) {
    const texts = (await serve.messages(id)).filter(({ role }) => role === "user").map(({ text }) => text);
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toContain(tasks[at]);
  }
  await serve.stop();
});

test("with --context reset every turn has its own session", async ({ onTestFinished }) => {
  const steps = (box: Sandbox) => [hello(box), { text: "First." }, { text: "Second." }, claim("Third.")];
  const serve = await opencodeServe(steps, onTestFinished);
  const session = await serve.open();
  await serve.type(session, "ralph", `"Do it" --context reset`);
  await becomes(serve, { reason: "promise-only", iteration: 3 });
  const [, , second, third] = serve.model.requests;
  expect(JSON.stringify(second)).not.toContain("First.");
  expect(JSON.stringify(third)).not.toContain("Second.");
  const { sessionId } = (await serve.box.json("status", "last")) as { sessionId: string };
  expect(sessionId).not.toBe(session);
  expect((await serve.messages(sessionId)).map(({ role }) => role)).toEqual(["user", "assistant"]);
  await serve.stop();
});

test("when OpenCode dies during a check, the check ends, and the loop continues without it in its session", async ({
  onTestFinished,
}) => {
  const steps = (box: Sandbox) => [claim("At once."), hello(box), claim("Written.")];
  const serve = await opencodeServe(steps, onTestFinished);
  const { box, model } = serve;
  const session = await serve.open();
  // It hangs after the first turn; before that, it runs for the baseline.
  const hangs = "test -f go || test ! -f begun || { touch checking; sleep 600; }";
  const verify = `${hangs}; touch begun; test -f hello.txt`;
  await serve.type(session, "ralph", `"Write hello.txt" --verify "${verify}"`);
  await vi.waitFor(() => expect(box.exists("checking")).toBe(true), PATIENT);
  await serve.stop();
  await expectNothingLeft(box);
  expect((await box.ralph("status", "last")).stdout).toContain(session);
  box.write("go", "");
  expect(await box.ralph("resume", "last")).toMatchObject({ code: 0 });
  expect(await box.json("status", "last")).toMatchObject({ reason: "verified", sessionId: session });
  expect(JSON.stringify(model.requests.at(-1))).toContain("At once.");
});
