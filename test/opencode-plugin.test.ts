import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import type { OpencodePlugin } from "../src/adapters/hosts/opencode/plugin.ts";
import { pluginFile } from "../src/adapters/hosts/opencode/plugin-file.ts";
import { atEnd } from "./support/at-end.ts";
import { full } from "./support/effort.ts";
import { openMessages, recordedEvents } from "./support/opencode-events.ts";
import { sandbox } from "./support/sandbox.ts";

const box = sandbox(atEnd());
box.write(".ralph/settings.json", '{"agent": {"command": "opencode"}}');
// The plugin looks for loops by itself, in the process that loads it.
vi.stubEnv("RALPH_STATE_DIR", box.state);

interface Asked {
  path: { id: string };
  body: { agent?: string; model?: object; parts: { text: string }[] };
}

/** The plugin as OpenCode loads it, with a client that records its calls. */
async function loaded(name: string, { node = process.execPath } = {}) {
  const file = box.write(`plugins/${name}.mjs`, pluginFile({ node, ralph: box.ralphPath }));
  const plugin = ((await import(pathToFileURL(file).href)) as { default: OpencodePlugin }).default;
  const messages = openMessages();
  const [prompts, toasts, logs]: [Asked[], { title: string; message: string }[], unknown[]] = [[], [], []];
  const keep = (list: unknown[]) => async (asked: object) => ({
    data: list.push("body" in asked ? asked.body : asked),
  });
  const client = {
    session: {
      messages: async (asked: object) => ({ data: messages.of((asked as Asked).path.id) }),
      get: async () => ({ data: { title: "A title" } }),
      create: async () => ({ data: { id: "ses_fresh" } }),
      promptAsync: async (asked: object) => ({ data: prompts.push(asked as Asked) }),
    },
    tui: { showToast: keep(toasts) },
    app: { log: keep(logs) },
  };
  const hooks = await plugin.server({ client, directory: box.cwd });
  return {
    prompts,
    toasts,
    logs,
    async type(session: string, command: string, text = "") {
      const parts: { text?: string }[] = [{ text: "what the command's file says" }, {}];
      await hooks["command.execute.before"]?.({ command, sessionID: session, arguments: text }, { parts });
      return parts.map((part) => part.text);
    },
    /** OpenCode does not wait for handlers; the tests do, at the end. */
    async play(recording: string, as: { session: string; says?: string; mark?: string }) {
      const handled = recordedEvents(recording, as).map((event) => {
        messages.fold(event);
        return hooks.event?.({ event });
      });
      await Promise.all(handled);
    },
  };
}

const titles = (toasts: { title: string; message: string }[]) =>
  toasts.map(({ title, message }) => `${title}: ${message}`);

test("a session continues over failed turns and subagents until its promise", async () => {
  const { type, play, prompts, toasts, logs } = await loaded("loop");
  const session = "ses_loop";
  const [first, ...rest] = await type(session, "ralph", `"Say hello" --max-iterations 9`);
  expect(first).toMatch(/^Say hello\n.*<promise>DONE<\/promise>/s);
  expect(rest).toEqual([expect.stringContaining("/cancel-ralph stops it")]);
  await play("normal-turn", { session });
  await play("abort-when-idle", { session });
  await play("model-error-400", { session });
  await play("subagent", { session });
  await play("normal-turn", { session: "ses_other" });
  expect(await box.json("status", "last")).toMatchObject({ reason: null, iteration: 4 });
  await play("normal-turn", { session, says: "Hello.\n\n<promise>DONE</promise>", mark: "again" });
  await play("abort-when-idle", { session });
  expect(
    prompts.map(({ path, body }) => [path.id, body.agent, body.model, body.parts[0]?.text.split("\n")[0]]),
  ).toEqual([2, 3, 4].map((n) => [session, "build", undefined, `[RALPH LOOP - ITERATION ${n}/9]`]));
  expect(titles(toasts)).toEqual([
    "Ralph Loop Started: Max 9 iterations. Complete with <promise>DONE</promise>",
    ...[2, 3, 4].map((n) => `Ralph Loop: Iteration ${n}/9`),
    "Ralph Loop Complete!: Task completed after 4 iteration(s) (promise-only)",
  ]);
  expect(logs).toEqual([]);
  expect(await box.json("status", "last")).toMatchObject({ reason: "promise-only", tokens: 720 });
});

test("a user's abort cancels, a deleted session interrupts, each reported once", async () => {
  const { type, play, prompts, toasts } = await loaded("ends");
  await type("ses_abort", "ralph", "Say hello");
  await play("abort-mid-turn", { session: "ses_abort" });
  await type("ses_retry", "ralph", "Say hello");
  await play("model-error-500-then-abort", { session: "ses_retry" });
  await type("ses_delete", "ralph", "Say hello");
  await play("delete-busy", { session: "ses_delete" });
  expect(titles(toasts).filter((title) => !title.startsWith("Ralph Loop Started"))).toEqual([
    "Ralph Loop Cancelled: Stopped at iteration 1",
    "Ralph Loop Cancelled: Stopped at iteration 1",
    expect.stringMatching(/^Ralph Loop Stopped: interrupted: /),
  ]);
  expect(prompts).toEqual([]);
});

full("with a new session for every turn, the loop moves to it", async () => {
  const { type, play, prompts } = await loaded("fresh");
  await type("ses_worn", "ralph", `"Say hello" --context reset`);
  await play("normal-turn", { session: "ses_worn" });
  const model = { providerID: "scripted", modelID: "model" };
  expect(prompts).toMatchObject([{ path: { id: "ses_fresh" }, body: { agent: "build", model } }]);
  await play("normal-turn", { session: "ses_worn", mark: "again" });
  await play("normal-turn", { session: "ses_fresh", says: "Hello. <promise>DONE</promise>" });
  expect(prompts).toHaveLength(1);
  expect(await box.json("status", "last")).toMatchObject({ reason: "promise-only", iteration: 2, tokens: 480 });
});

full("of two copies only the later acts, and other commands are left alone", async () => {
  const [before, after] = [await loaded("before"), await loaded("after")];
  const written = ["what the command's file says", undefined];
  expect(await before.type("ses_two", "ralph-status")).toEqual(written);
  expect(await after.type("ses_two", "review")).toEqual(written);
  expect(await after.type("ses_two", "ralph-status")).toEqual([
    expect.stringMatching(/tell the user exactly the following, and nothing else\.\n\nNo Active Loop/),
  ]);
});

full("a program that cannot be started is reported, and throws nothing into OpenCode", async () => {
  const { type, toasts, logs } = await loaded("missing", { node: "/nowhere/node" });
  expect(await type("ses_missing", "ralph", "Say hello")).toEqual([
    expect.stringContaining("Ralph could not do that: spawn /nowhere/node ENOENT"),
  ]);
  expect(toasts).toMatchObject([{ title: "Ralph Loop", message: "spawn /nowhere/node ENOENT", variant: "error" }]);
  expect(logs).toMatchObject([{ service: "ralph", level: "error" }]);
});
