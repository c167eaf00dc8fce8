import { expect, onTestFinished, test, vi } from "vitest";
import { replay } from "../../../test/support/captures.ts";
import { kindOf } from "../../../test/support/kinds.ts";
import { someAgent } from "../../../test/support/spec.ts";
import type { AgentEvent } from "../../core/agent.ts";
import { knownAgent } from "./known.ts";

// Cases that no recorded run contains, written from the CLIs' sources.

function read(name: string, ...lines: object[]): AgentEvent[] {
  const stream = knownAgent(kindOf(`${name}/`), someAgent(name)).open?.();
  return [...lines.flatMap((line) => stream?.line(JSON.stringify(line)) ?? []), ...(stream?.end?.() ?? [])];
}

const retry = { type: "system", subtype: "api_retry", attempt: 1, error_status: 429, error: "rate_limit" };
const says = (text: string, id = "m1") => ({ type: "assistant", message: { id, content: [{ type: "text", text }] } });
const jsonLines = (...lines: object[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

test.each<[string, object[], string]>([
  ["still waits for its service", [says("Working."), retry], "rate-limited"],
  ["continued after it had waited", [retry, says("Working.")], "timed-out"],
])("an agent that hangs and %s", async (_name, lines, kind) => {
  const hung = { stdout: jsonLines(...lines), stderr: Buffer.alloc(0), exitCode: 124 };
  expect((await replay(kindOf("claude/"), hung)).fault?.kind).toBe(kind);
});

// anthropics/claude-code#25629: it may not exit after its result while a server that it started keeps it open.
test("an agent that reported its result and does not exit has succeeded", async () => {
  const hung = (...lines: object[]) => ({ stdout: jsonLines(...lines), stderr: Buffer.alloc(0), exitCode: 124 });
  const result = { type: "result", subtype: "success", is_error: false };
  const done = await replay(kindOf("claude/"), hung(says("<promise>DONE</promise>"), result));
  expect([done.fault, done.reading.claim?.text]).toEqual([null, "DONE"]);
  const failed = { ...result, is_error: true, api_error_status: 529 };
  expect((await replay(kindOf("claude/"), hung(says("Working."), failed))).fault?.kind).toBe("overloaded");
  expect((await replay(kindOf("claude/"), hung(result, says("More.")))).fault?.kind).toBe("timed-out");
});

test("it is given a short time to exit, and longer only while it works", async () => {
  const result = { type: "result", subtype: "success", is_error: false };
  const patient = { idleMs: 50_000, lingerMs: 200, passesMs: 200 };
  const hung = { stdout: jsonLines(says("<promise>DONE</promise>"), result), stderr: Buffer.alloc(0), exitCode: 124 };
  expect(await replay(kindOf("claude/"), hung, patient)).toMatchObject({ fault: null, sessionId: null });
  const onwards = { ...hung, stdout: jsonLines(result, says("More.")) };
  const still = replay(kindOf("claude/"), onwards, { ...patient, idleMs: 1_500, passesMs: 1_500 });
  expect((await still).fault?.kind).toBe("timed-out");
});

test("an agent whose only result is its exit leaves no timer that delays the program", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const line = (type: string, part: object) => ({ type, sessionID: "s", part });
  const lines = [line("step_start", {}), line("text", { text: "Done." }), line("step_finish", { reason: "stop" })];
  const run = { stdout: jsonLines(...lines), stderr: Buffer.alloc(0), exitCode: 0 };
  expect((await replay(kindOf("opencode/"), run)).fault).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[string, string, string | undefined]>([
  ["gets nowhere", "I could not run it.", "permission-denied"],
  ["claims is judged by its work", "<promise>DONE</promise>", undefined],
  ["says it is blocked by that", "<blocked>I may not run Bash</blocked>", undefined],
])("an agent that was refused a tool and %s", async (_name, text, kind) => {
  const denials = [{ tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } }];
  const result = { type: "result", subtype: "success", is_error: false, permission_denials: denials };
  const run = { stdout: jsonLines(says(text), result), stderr: Buffer.alloc(0), exitCode: 0 };
  const { fault, reading } = await replay(kindOf("claude/"), run);
  expect(fault?.kind).toBe(kind);
  if (text.includes("blocked")) expect(reading.blocked).toBe("I may not run Bash");
});

test("work after a result needs another result", async () => {
  const result = { type: "result", subtype: "success", is_error: false };
  const cut = { stdout: jsonLines(says("One."), result, says("Two.", "m2")), stderr: Buffer.alloc(0), exitCode: 1 };
  expect((await replay(kindOf("claude/"), cut)).fault?.kind).toBe("crashed");
});

test.each([
  ["codex", { type: "thread.started" }],
  ["gemini", { type: "init" }],
])("%s: a session without an id cannot be resumed", async (name, line) => {
  const run = { stdout: jsonLines(line), stderr: Buffer.alloc(0), exitCode: 1 };
  expect((await replay(kindOf(`${name}/`), run)).sessionId).toBeNull();
});

test("claude reports a reset time in a separate line; warnings about an approaching limit are not limits", () => {
  const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
  const notice = (status: string, resetsAt: number) => ({
    type: "rate_limit_event",
    rate_limit_info: { status, resetsAt, overageStatus: "rejected" },
  });
  const result = { type: "result", subtype: "success", is_error: true, api_error_status: 429, result: "API Error" };
  const fault = (...lines: object[]) => read("claude", ...lines, result).at(-1);
  expect(fault(notice("rejected", inAnHour), notice("allowed", 5))).toMatchObject({
    fault: { kind: "rate-limited", retryAtMs: inAnHour * 1_000 },
  });
  expect(fault(notice("allowed_warning", inAnHour))).not.toHaveProperty("fault.retryAtMs");
});

test("the blocks of a message on separate lines are one message", () => {
  const blocks = { type: "assistant", message: { id: "m1", content: [{ type: "text", text: "a" }] } };
  expect(read("claude", blocks, says("b"), says("c", "m2"))).toEqual([
    { type: "text.said", text: "a" },
    { type: "text.said", text: "\n" },
    { type: "text.said", text: "b" },
    { type: "message.ended" },
    { type: "text.said", text: "c" },
  ]);
});

test("lines of a message that repeat its usage count once", () => {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 2 };
  const line = (id: string) => ({ type: "assistant", message: { id, content: [], usage } });
  const counted = {
    type: "usage.reported",
    usage: { inputTokens: 113, cachedTokens: 100, outputTokens: 2, costUsd: 0 },
    of: "step",
  };
  expect(read("claude", line("m1"), line("m1"), line("m2"))).toEqual([counted, counted]);
  // Amp's messages have no id.
  expect(read("amp", line(""), line(""))).toEqual([counted, counted]);
});

test("several results of one process are added up", () => {
  const since = { x: { inputTokens: 10, outputTokens: 1, costUSD: 0.5 } };
  const result = { type: "result", subtype: "success", is_error: false, model_usage_since_last_result: since };
  const reports = read("claude", result, result).filter(({ type }) => type === "usage.reported");
  expect(reports.at(-1)).toMatchObject({ of: "turn", usage: { inputTokens: 20, outputTokens: 2, costUsd: 1 } });
});

test.each<[string, object[], string]>([
  [
    "codex",
    [{ type: "item.completed", item: { id: "1", type: "command_execution", command: "rm x", status: "declined" } }],
    "shell: rm x",
  ],
  [
    "gemini",
    [
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "1", parameters: { command: "rm x" } },
      {
        type: "tool_result",
        tool_id: "1",
        status: "error",
        error: {
          message:
            'Tool execution for "Shell" requires user confirmation, which is not supported in non-interactive mode.',
        },
      },
    ],
    "run_shell_command: Tool execution",
  ],
  [
    "qwen",
    [
      {
        type: "result",
        subtype: "success",
        is_error: false,
        permission_denials: [{ tool_name: "write_file", tool_use_id: "1", tool_input: { file_path: "a.txt" } }],
      },
    ],
    "write_file: a.txt",
  ],
  [
    "opencode",
    [
      {
        type: "tool_use",
        part: {
          tool: "bash",
          state: {
            status: "error",
            error: "The user has specified a rule which prevents you from using this specific tool call.",
          },
        },
      },
    ],
    "bash: The user has specified a rule",
  ],
])("%s reports a refused tool", (name, lines, expected) => {
  const denied = read(name, ...lines).filter((event) => event.type === "tool.denied");
  expect(denied.map(({ name: tool, detail }) => `${tool}: ${detail}`)).toEqual([expect.stringContaining(expected)]);
});

test("opencode counts cached and reasoning tokens", () => {
  const tokens = { input: 5, output: 7, reasoning: 11, cache: { read: 100, write: 20 } };
  expect(read("opencode", { type: "step_finish", part: { reason: "tool-calls", tokens, cost: 0.25 } })).toEqual([
    {
      type: "usage.reported",
      usage: { inputTokens: 125, cachedTokens: 100, outputTokens: 18, costUsd: 0.25 },
      of: "step",
    },
  ]);
});

test("opencode has not succeeded while another step is running", () => {
  const finish = { type: "step_finish", part: { reason: "stop" } };
  expect(read("opencode", finish).at(-1)).toEqual({ type: "turn.succeeded" });
  expect(read("opencode", finish, { type: "step_start", part: {} })).not.toContainEqual({ type: "turn.succeeded" });
});

test("opencode reports the retry time in a header", () => {
  const data = { message: "slow down", statusCode: 429, responseHeaders: { "retry-after": "60" } };
  const [event] = read("opencode", { type: "error", error: { name: "APIError", data } });
  expect(event).toMatchObject({ fault: { kind: "rate-limited", retryAtMs: expect.any(Number) } });
});

test("gemini's thoughts count as output tokens", () => {
  const stats = { total_tokens: 260, input_tokens: 200, output_tokens: 40, cached: 50 };
  expect(read("gemini", { type: "result", status: "success", stats })).toContainEqual({
    type: "usage.reported",
    usage: { inputTokens: 200, cachedTokens: 50, outputTokens: 60, costUsd: 0 },
    of: "turn",
  });
});

test("codex reports a tool once, even without a start event", () => {
  const item = (type: string, id: string) => ({ type, item: { id, type: "web_search", query: "x" } });
  const calls = read("codex", item("item.started", "1"), item("item.completed", "1"), item("item.completed", "2"));
  expect(calls).toEqual(Array(2).fill({ type: "tool.called", name: "web_search", summary: "x" }));
});
