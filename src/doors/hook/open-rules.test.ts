import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import type { AgentEvent } from "../../core/agent.ts";
import type { HostAnswer, HostSession } from "../../core/host.ts";
import { answerHost } from "./open.ts";

let session: HostSession;
beforeEach(() => {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-hook-"));
  process.env.RALPH_STATE_DIR = mkdtempSync(join(tmpdir(), "ralph-state-"));
  session = { host: "claude", id: "session-1", cwd };
});

const write = (name: string, content: string) => {
  mkdirSync(join(session.cwd, name, ".."), { recursive: true });
  writeFileSync(join(session.cwd, name), content);
};
const set = (settings: unknown) => write(".ralph/settings.json", JSON.stringify(settings));

const ralph = (typed: string): Promise<HostAnswer> =>
  answerHost(session, { type: "command.typed", command: "ralph", arguments: typed }, Date.now());

const say = (text: string, ...more: AgentEvent[]): Promise<HostAnswer> => {
  const events: AgentEvent[] = [...more, { type: "text.said", text }, { type: "message.ended" }];
  return answerHost(session, { type: "session.idle", events, tellsTools: true }, Date.now());
};

const DONE = "<promise>DONE</promise>";
const WORKED: AgentEvent = { type: "tool.called", name: "Write", summary: "x" };

test("a failing guardrail vetoes a promise, and its output is in the next prompt", async () => {
  set({ guardrails: [{ command: "test -e tidy || { echo the line is too long; exit 1; }" }] });
  await ralph("Tidy up");
  expect((await say(DONE, WORKED)).prompt?.text).toContain("the line is too long");
  write("tidy", "");
  expect(await say(DONE, WORKED)).toMatchObject({ prompt: null, toasts: [{ title: "Ralph Loop Complete!" }] });
});

test("a promise without any work is refused", async () => {
  execFileSync("git", ["init", "-q"], { cwd: session.cwd });
  set({ completion: { zero_work_guard: true } });
  await ralph("Fix it");
  expect((await say(DONE)).prompt?.text).toMatch(/ITERATION 2\/100[\s\S]*no tool/i);
  write("fixed", "");
  expect(await say(DONE, WORKED)).toMatchObject({ prompt: null, toasts: [{ title: "Ralph Loop Complete!" }] });
});

test("a new nonce in every prompt makes an old promise worthless", async () => {
  set({ completion: { nonce: true } });
  const promiseIn = ({ prompt }: HostAnswer) =>
    /<promise>DONE [0-9a-f]{4}<\/promise>/.exec(prompt?.text ?? "")?.[0] ?? "";
  const first = promiseIn(await ralph("Fix it"));
  expect(first).not.toBe("");
  const second = await say(DONE, WORKED);
  expect(promiseIn(second)).not.toBe(first);
  const third = await say(first, WORKED);
  expect(third.prompt).not.toBeNull();
  expect(await say(promiseIn(third), WORKED)).toMatchObject({
    prompt: null,
    toasts: [{ title: "Ralph Loop Complete!" }],
  });
});

test.each<[string, string, string]>([
  ["--max-cost 2", "cost-limit", "$2.50 spent"],
  ["--max-tokens 100", "token-limit", "110 tokens"],
  ["--max-iterations 1", "Max iterations (1) reached without completion", ""],
])("%s ends a loop, unless the turn that reached it proves it", async (limit, reason, detail) => {
  const spent: AgentEvent = {
    type: "usage.reported",
    usage: { inputTokens: 100, cachedTokens: 0, outputTokens: 10, costUsd: 2.5 },
    of: "turn",
  };
  // The host that reports the cost of its sessions.
  session = { ...session, host: "opencode" };
  await ralph(`Fix it ${limit}`);
  const ended = await say("Working.", spent);
  expect(ended).toMatchObject({ prompt: null, toasts: [{ title: "Ralph Loop Stopped" }] });
  expect(ended.toasts[0]?.message).toContain(reason);
  expect(ended.toasts[0]?.message).toContain(detail);
  expect(ended.says).toMatch(/^Next: \/ralph --resume \w{8} -[^<]* \d\S*; from a terminal, ralph why \w{8} /);
  await ralph(`Fix it ${limit}`);
  expect(await say(DONE, spent, WORKED)).toMatchObject({ toasts: [{ title: "Ralph Loop Complete!" }], says: "" });
});

test("a session's cost before a loop does not count for the loop", async () => {
  const cost = (costUsd: number) => ({ inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd });
  const soFar = (costUsd: number): AgentEvent => ({ type: "usage.reported", usage: cost(costUsd), of: "session" });
  const typed = (text: string, usage: ReturnType<typeof cost>) =>
    answerHost(session, { type: "command.typed", command: "ralph", arguments: text, usage }, Date.now());
  await typed("Fix it", cost(5));
  await say("Working.", soFar(6));
  session = { ...session, id: "session-2" };
  await typed("--resume last", cost(10));
  await say("Working.", soFar(12));
  const loop = await inWorkspace(session, ({ store }) => store.find("last"));
  expect(loop).toMatchObject({ costUsd: 3, iteration: 3, sessionId: "session-2" });
});
