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
  const { box, server, say, status } = await hosted("claude", steps, onTestFinished);
  const { code, session, lines } = await say('/ralph "Write hello" --verify "test -f hello.txt" --max-iterations 5');
  expect(code).toBe(0);
  expect(await status()).toMatchObject({ reason: "verified", iteration: 2, tokens: 360, sessionId: session });
  expect(server.requests).toHaveLength(3);
  const [first, second] = server.requests;
  expect(told(first)).toMatch(/Write hello.*<promise>DONE<\/promise>.*asks for verification/s);
  // Commands for users only are not offered to the model.
  expect(told(first)).not.toContain("Stop the Ralph loop of this session");
  expect(told(second)).toMatch(
    /Stop hook feedback:\n\[RALPH LOOP - ITERATION 2\/5\].*test -f hello\.txt.*exit code 1/s,
  );
  expect(lines).toContainEqual(expect.objectContaining({ content: expect.stringContaining("Ralph Loop Complete!") }));
  expect((await box.ralph("why")).stdout.match(/^iteration \d+$/gm)).toEqual(["iteration 1", "iteration 2"]);
});

test.concurrent("quoted and denied promises end nothing, and the maximum does", async ({ onTestFinished }) => {
  const steps = (): Step[] => [
    { text: "When it is done I will say `<promise>DONE</promise>`." },
    { text: "I was told:\n> When FULLY complete, output: <promise>DONE</promise>" },
    { text: "The tests still fail, so I cannot say <promise>DONE</promise> yet." },
  ];
  const { server, say, status } = await hosted("claude", steps, onTestFinished);
  const { lines } = await say("/ralph Make the tests pass --max-iterations=3");
  expect(await status()).toMatchObject({ reason: "iteration-limit", iteration: 3, tokens: 360 });
  expect(server.requests).toHaveLength(3);
  const words = expect.stringContaining("Max iterations (3) reached without completion");
  expect(lines).toContainEqual(expect.objectContaining({ content: words }));
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
  const { box, server, say, open, status } = await hosted("claude", steps, onTestFinished);
  const dying = open("/ralph Do it");
  await vi.waitFor(() => expect(server.requests).toHaveLength(2), PATIENT);
  const other = await say("hello");
  expect(other.lines.at(-1)).toMatchObject({ result: "Hello." });
  expect(server.requests).toHaveLength(3);
  const cancelling = await say("/cancel-ralph");
  expect(cancelling.stdout).toMatch(/no ralph loop/i);
  expect(await status()).toMatchObject({ status: "running", iteration: 2 });
  dying.child.kill("SIGKILL");
  await dying.ended;
  expect(await box.ralph("resume", "last")).toMatchObject({ code: 0 });
  expect(await status()).toMatchObject({ reason: "promise-only", iteration: 2 });
  expect(told(server.requests.at(-1))).toContain("Working.");
});

test.concurrent("a loop moves between its session and the command line", async ({ onTestFinished }) => {
  const steps = (box: Sandbox): Step[] => [{ text: "First." }, { text: "Second." }, hello(box), claim("Written.")];
  const { box, server, say, status } = await hosted("claude", steps, onTestFinished);
  const begun = await say('/ralph "Write hello" --verify "test -f hello.txt" --max-iterations 1');
  expect(await status()).toMatchObject({ reason: "iteration-limit", iteration: 1 });
  // Without its host, in the same session.
  expect(await box.ralph("resume", "last", "-m", "2")).toMatchObject({ code: 1 });
  expect(await status()).toMatchObject({ reason: "iteration-limit", iteration: 2, sessionId: begun.session });
  expect(told(server.requests[1])).toMatch(/First\.\nWrite hello/);
  // And back into a session, another one.
  const { id } = Object(await status());
  const back = await say(`/ralph --resume ${id} --max-iterations 5`);
  expect(await status()).toMatchObject({ reason: "verified", iteration: 3, tokens: 480, sessionId: back.session });
  expect(back.session).not.toBe(begun.session);
  expect(server.requests).toHaveLength(4);
});

test.concurrent("status and cancel are answered without the model", async ({ onTestFinished }) => {
  const working: Step[] = [{ text: "Working." }, { hang: true }];
  const { server, say, open, status } = await hosted("claude", () => [...working, ...working], onTestFinished);
  expect((await say("/ralph-status")).stdout).toMatch(/no ralph loop/i);
  expect((await say("/ralph --verify")).stdout).toContain("--verify");
  for (const [n, command, answer] of [
    [1, "/ralph-status", "2/7"],
    [2, "/cancel-ralph", "stopped: cancelled"],
  ] as const) {
    const window = open("/ralph Do it --max-iterations 7");
    await vi.waitFor(() => expect(server.requests).toHaveLength(2 * n), PATIENT);
    const { sessionId } = Object(await status());
    // A second window on the same session.
    expect((await say(command, sessionId)).stdout).toContain(answer);
    window.child.kill("SIGKILL");
    await window.ended;
  }
  expect(await status()).toMatchObject({ reason: "cancelled" });
  expect(server.requests).toHaveLength(4);
});

test.concurrent("hooks installed for the user and for the project count once", async ({ onTestFinished }) => {
  const steps = (box: Sandbox): Step[] => [hello(box), { text: "One." }, { text: "Two." }, claim("Three.")];
  const { box, server, install, say, status } = await hosted("claude", steps, onTestFinished);
  // The same program under another name: Claude Code starts an equal command line only once.
  box.write(
    ".claude/settings.json",
    box.read(".claude/settings.json").replaceAll(/"command": "\S+/g, '"command": "node'),
  );
  await install("--user");
  await say("/ralph Do it --max-iterations 9");
  expect(await status()).toMatchObject({ reason: "promise-only", iteration: 3, tokens: 480 });
  expect(server.requests).toHaveLength(4);
  expect(told(server.requests[3]).split("Stop hook feedback:")).toHaveLength(3);
  expect(Object(await box.json("list"))).toHaveLength(1);
});

test.concurrent("a program that dies in the middle of a check is continued there", async ({ onTestFinished }) => {
  const { box, server, say, status } = await hosted("claude", (box) => [hello(box), claim("Written.")], onTestFinished);
  box.write(
    "check.sh",
    'test -f hello.txt || exit 1\ntest -f died || { touch died; kill -9 "$(cat pid)"; sleep 60; }\n',
  );
  const settings = box.read(".claude/settings.json");
  const command = /"command": "(.*) hook event claude"/.exec(settings)?.[1] ?? "";
  box.program("hook", `echo $$ > '${box.path("pid")}'\nexec ${command} hook event claude`);
  box.write(".claude/settings.json", settings.replaceAll(`${command} hook event claude`, "hook"));
  await say('/ralph "Write hello" --verify "sh check.sh"');
  expect(box.exists("died")).toBe(true);
  expect(server.requests).toHaveLength(2);
  expect(await box.ralph("resume", "last")).toMatchObject({ code: 0 });
  expect(await status()).toMatchObject({ reason: "verified", iteration: 1 });
  expect(server.requests).toHaveLength(2);
});

test.concurrent("a check that runs Claude Code itself starts no loop in it", async ({ onTestFinished }) => {
  const steps = (box: Sandbox) => [hello(box), claim("Written."), claim("It is fine."), claim("Unheard.")];
  const { server, say, status } = await hosted("claude", steps, onTestFinished);
  await say('/ralph "Write hello" --verify "test -f hello.txt && claude -p \'/ralph Is it fine?\'"');
  expect(await status()).toMatchObject({ reason: "verified", iteration: 1 });
  expect(server.requests).toHaveLength(3);
});

test.concurrent("a loop stops and says so at Claude Code's cap", async ({ onTestFinished }) => {
  const { box, server, say, status } = await hosted("claude", () => [{ text: "Thinking." }], onTestFinished);
  const { lines } = await say("/ralph Do it");
  expect(server.requests).toHaveLength(9);
  expect(await status()).toMatchObject({ reason: "interrupted", iteration: 9 });
  expect((await box.ralph("why")).stdout).toContain("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP");
  const notices = lines.flatMap(({ content }) => (typeof content === "string" ? [content] : []));
  expect(notices.filter((notice) => notice.includes("This is the last time for now"))).toHaveLength(1);
  expect(notices.at(-1)).toContain("Ralph Loop Stopped");
});

test.concurrent("tokens are counted, and a long task arrives complete", async ({ onTestFinished }) => {
  const steps = (): Step[] => ["One.", "Two.", "Three.", "Four."].map((text) => ({ text }));
  const { server, say, status } = await hosted("claude", steps, onTestFinished);
  const task = Array.from({ length: 2000 }, (_, n) => `Step ${n} $& {{MAX}}`).join("\n");
  await say(`/ralph --max-tokens 250 '${task}'`);
  expect(await status()).toMatchObject({ reason: "token-limit", tokens: 360 });
  expect(told(server.requests[0])).toContain(task);
  expect(told(server.requests[1]).split(task).length).toBeGreaterThan(2);
});
