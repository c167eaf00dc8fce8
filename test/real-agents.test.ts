import { describe, expect, test, vi } from "vitest";
import { linesOf } from "./support/json-lines.ts";
import type { Message } from "./support/model-server/dialect.ts";
import { modelServer } from "./support/model-server.ts";
import { type RealAgent, realAgents, settle } from "./support/real-agents.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

const { claude, codex, gemini, qwen, opencode } = realAgents;

/** How a CLI is asked for its structured stream, and to go on with a session. */
const DIRECT: [RealAgent, string[], (id: string) => string[]][] = [
  [claude, ["-p", "--output-format", "stream-json", "--verbose"], (id) => ["--resume", id]],
  [codex, ["e", "--json"], (id) => ["resume", id, "-"]],
  [gemini, ["-o", "stream-json"], (id) => ["--resume", id]],
  [qwen, ["-o", "stream-json"], (id) => ["--resume", id]],
  [opencode, ["run", "--format", "json"], (id) => ["-s", id]],
];

const PROMPT = `- write "hello" for $USER, not \`date\`\n\nand keep it 'short' – ✓`;

describe.concurrent.each(DIRECT)("$name itself", (agent, args, resume) => {
  test("takes its prompt from standard input, unchanged, and goes on with a session", async ({ onTestFinished }) => {
    const box = sandbox(onTestFinished);
    const write = { path: box.path("hello.txt"), content: "hello" };
    const steps = [{ text: "I will.", write }, { text: "Written." }, { text: "Again." }];
    const server = await modelServer({ steps }, onTestFinished);
    settle(box, agent, server.url);

    const first = await ask(box, agent, [...args, ...agent.flags], PROMPT);
    expect(first).toMatchObject({ code: 0 });
    expect(box.read("hello.txt")).toBe("hello");
    expect(linesOf(first.stdout)).not.toEqual([]);
    const session = /"(?:session_id|thread_id|sessionID)":"([^"]+)"/.exec(first.stdout)?.[1] ?? "";
    const second = await ask(box, agent, [...args, ...agent.flags, ...resume(session)], "And again.");
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(session) });

    const talks = server.requests.map(({ messages }) => messages);
    expect(talks).toHaveLength(3);
    expect(server.strays).toEqual([]);
    // Some put reminders before the prompt; after it could only be a quotation mark.
    expect(lastSaid(talks[0]).endsWith(PROMPT)).toBe(true);
    expect(talks[2]?.map(({ text }) => text)).toEqual(expect.arrayContaining(["I will.", "Written."]));
    expect(lastSaid(talks[2]).endsWith("And again.")).toBe(true);
  });
});

function ask(box: Sandbox, { name }: RealAgent, args: string[], prompt: string) {
  box.write("prompt", prompt);
  box.program("ask", `exec ${name} "$@" < prompt`);
  return box.run("ask", ...args);
}

const lastSaid = (messages: Message[] = []): string =>
  messages.findLast(({ role }) => role === "user")?.text.trim() ?? "";
