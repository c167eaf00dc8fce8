import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HostEvent } from "../../core/host.ts";
import { claudeDialect as claudeHost } from "./claude/dialect.ts";
import { readTranscript } from "./claude/transcript.ts";
import { codexDialect as codexHost } from "./codex/dialect.ts";
import { readRollout } from "./codex/rollout.ts";

const TRANSCRIPT = "test/fixtures/host-events/claude/transcript.jsonl";
const ROLLOUT = "test/fixtures/host-events/codex/rollout.jsonl";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "ralph-records-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const tokens = (answers: number) => ({
  inputTokens: answers * 100,
  cachedTokens: 0,
  outputTokens: answers * 20,
  costUsd: 0,
});
const line = (fields: object): string => `${JSON.stringify(fields)}\n`;
const answer = (id: string, content: object[], usage: object = { input_tokens: 10, output_tokens: 1 }) =>
  line({ type: "assistant", message: { id, model: "opus", content, usage } });
const call = (command: string) => ({ type: "tool_use", name: "Bash", input: { command } });

test("a transcript has the cost of a session, and how often its agent was kept from stopping", () => {
  // 15 messages, one of them with a line for its text and one for its tool.
  expect(readTranscript(TRANSCRIPT)).toEqual({
    usage: tokens(15),
    model: "scripted",
    tools: [],
    blocks: 9,
    lastText: "A14",
  });
});

test("tools count until the next user message", () => {
  const path = join(folder(), "t.jsonl");
  const said = (content: unknown, more = {}) => line({ type: "user", message: { role: "user", content }, ...more });
  const returned = said([{ type: "tool_result", content: "12 of 12" }]);
  writeFileSync(path, `${said("hello") + answer("a", [call("npm test")]) + returned}{ broken\n`);
  appendFileSync(path, said("<task-notification>done") + said("aside", { isSidechain: true }));
  appendFileSync(path, answer("b", [call("npm run build")]) + answer("b", [{ type: "text", text: "Built." }]));
  expect(readTranscript(path)).toMatchObject({
    tools: [
      { name: "Bash", summary: "npm test" },
      { name: "Bash", summary: "npm run build" },
    ],
    usage: { inputTokens: 20, outputTokens: 2 },
    lastText: "Built.",
    model: "opus",
  });
  appendFileSync(path, said("Stop hook feedback:\nmore"));
  expect(readTranscript(path)?.tools).toEqual([]);
});

test("the cost of a message counts once, by its last report, in a session of any length", () => {
  const path = join(folder(), "t.jsonl");
  const cached = { input_tokens: 1, cache_creation_input_tokens: 2, cache_read_input_tokens: 4, output_tokens: 8 };
  const ids = Array.from({ length: 500 }, (_, n) => `m${n}`);
  writeFileSync(path, ids.map((id) => answer(id, [], { output_tokens: 1 }) + answer(id, [], cached)).join(""));
  expect(readTranscript(path)?.usage).toEqual({
    inputTokens: 3500,
    cachedTokens: 2000,
    outputTokens: 4000,
    costUsd: 0,
  });
});

test("a call with an input that cannot be serialised does not hide the session's cost", () => {
  const path = join(folder(), "transcript.jsonl");
  const deep = answer("b", [{ type: "tool_use", name: "mcp", input: { x: "DEEP" } }]);
  const depth = 20_000;
  writeFileSync(path, answer("a", []) + deep.replace('"DEEP"', "[".repeat(depth) + "]".repeat(depth)));
  expect(readTranscript(path)).toMatchObject({ usage: { inputTokens: 20 }, tools: [{ name: "mcp", summary: "…" }] });
});

test("a rollout has a session's cost, its model and the tools of the turn", () => {
  expect(readRollout(ROLLOUT)).toEqual({
    usage: tokens(2),
    model: "gpt-5.5",
    tools: [{ type: "tool.called", name: "exec_command", summary: "echo 1" }],
  });
});

test.each([
  ["claude", readTranscript],
  ["codex", readRollout],
])("%s: a missing record, a folder or an empty record counts as none", (_name, read) => {
  const path = folder();
  const pipe = join(path, "pipe");
  execFileSync("mkfifo", [pipe]);
  writeFileSync(join(path, "empty"), "");
  writeFileSync(join(path, "odd"), "null\n[]\n{}\n\0\n");
  for (const name of [pipe, path, join(path, "none"), join(path, "empty"), join(path, "odd"), ""])
    expect(read(name)).toBeNull();
});

const stop = (text: string): HostEvent => ({
  type: "session.idle",
  events: [{ type: "text.said", text }],
  tellsTools: false,
});
const payload = (path: string, last: string) => ({
  session_id: "s",
  transcript_path: path,
  stop_hook_active: true,
  last_assistant_message: last,
});

test("an event includes the additions of the record", () => {
  const event = claudeHost.look?.(payload(TRANSCRIPT, "A14"), stop("A14"));
  expect(event).toEqual({
    type: "session.idle",
    events: [
      { type: "session.opened", sessionId: "s", model: "scripted" },
      { type: "usage.reported", usage: tokens(15), of: "session" },
      { type: "text.said", text: "A14" },
    ],
    tellsTools: true,
    patience: { times: 0, why: expect.stringContaining("8 times in a row"), wasSentBack: true },
  });
  expect(codexHost.look?.(payload(ROLLOUT, "D"), stop("D"))).toMatchObject({
    events: [{ model: "gpt-5.5" }, { type: "tool.called" }, { usage: tokens(2) }, { text: "D" }],
    tellsTools: true,
  });
  const typed: HostEvent = { type: "command.typed", command: "ralph", arguments: "x" };
  expect(codexHost.look?.(payload(ROLLOUT, ""), typed)).toEqual({ ...typed, usage: tokens(2) });
  expect(claudeHost.look?.(payload("/none", "A"), stop("A"))).toEqual({ ...stop("A"), usageUnknown: true });
  expect(codexHost.look?.(payload("/none", "A"), stop("A"))).toEqual({ ...stop("A"), usageUnknown: true });
});

test("Claude Code's cap is read from its variable", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const times = (cap: string, active = true) => {
    vi.stubEnv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", cap);
    const event = claudeHost.look?.({ ...payload(TRANSCRIPT, "A14"), stop_hook_active: active }, stop("A14"));
    return event?.type === "session.idle" ? event.patience?.times : "?";
  };
  expect([times("12"), times("0"), times("many"), times("", false)]).toEqual([3, undefined, 0, 8]);
});
