import { expect, test, vi } from "vitest";
import { linesOf } from "../../support/json-lines.ts";
import { realAgents } from "../../support/real-agents.ts";
import type { Sandbox } from "../../support/sandbox.ts";
import { settled } from "../../support/settled.ts";

// What the adapters rely on, tested with each CLI alone: if a new version breaks it, Ralph is not the cause.
vi.setConfig({ maxConcurrency: 2, testTimeout: 480_000 });

const PROMPT = `- write "hello" for $USER, not \`date\`\n\nand keep it 'short' – ✓`;

/** How a CLI is asked for its structured stream, and to resume a session. */
const CLIS: [keyof typeof realAgents, string[], (id: string) => string[]][] = [
  ["opencode", ["run", "--format", "json"], (id) => ["-s", id]],
  ["qwen", ["-o", "stream-json"], (id) => ["--resume", id]],
  ["gemini", ["-o", "stream-json"], (id) => ["--resume", id]],
  ["claude", ["-p", "--output-format", "stream-json", "--verbose"], (id) => ["--resume", id]],
  ["codex", ["e", "--json"], (id) => ["resume", id, "-"]],
];

test.concurrent.for(CLIS)("%s reads its prompt unchanged, and resumes a session", async (cli, { onTestFinished }) => {
  const [name, stream, resume] = cli;
  const agent = realAgents[name];
  const write = (box: Sandbox) => ({ path: box.path("hello.txt"), content: "hello" });
  const steps = (box: Sandbox) => [{ text: "I will.", write: write(box) }, { text: "Written." }, { text: "Again." }];
  const { box, server } = await settled(agent, steps, onTestFinished);
  const ask = (prompt: string, ...args: string[]) => {
    box.write("prompt", prompt);
    box.program("ask", `exec ${name} "$@" < prompt`);
    return box.run("ask", ...stream, ...agent.flags, ...args);
  };

  const first = await ask(PROMPT);
  expect(first).toMatchObject({ code: 0 });
  expect(linesOf(first.stdout)).not.toEqual([]);
  expect(box.read("hello.txt")).toBe("hello");
  const session = /"(?:session_id|thread_id|sessionID)":"([^"]+)"/.exec(first.stdout)?.[1] ?? "none";
  const second = await ask("And again.", ...resume(session));
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(session) });

  expect(server.strays).toEqual([]);
  const talks = server.requests.map(({ messages }) => messages);
  const lastSaid = talks.map((talk) => talk.findLast(({ role }) => role === "user")?.text.trim());
  // Some put reminders before the prompt; only a quotation mark may follow it.
  expect(lastSaid[0]?.endsWith(PROMPT)).toBe(true);
  expect(lastSaid[2]?.endsWith("And again.")).toBe(true);
  expect(talks[2]?.map(({ text }) => text)).toEqual(expect.arrayContaining(["I will.", "Written."]));
  expect(talks).toHaveLength(3);
});
