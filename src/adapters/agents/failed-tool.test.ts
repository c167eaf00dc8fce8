import { expect, test } from "vitest";
import type { AgentEvent } from "../../core/agent.ts";
import { NO_CLAIM } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { adapterFor } from "./agent.ts";
import { failedTool } from "./failed-tool.ts";
import { openReader } from "./reader.ts";

test.each<[string, string, number | null, string]>([
  [
    "the line that names the error",
    "> build\n\nsrc/a.ts(1,2): error TS2304: no\nmore",
    2,
    "exit code 2: src/a.ts(1,2): error TS2304: no",
  ],
  ["the first line if none does", "\n  1 of 3\n", 1, "exit code 1: 1 of 3"],
  ["an exit code without output", "", 1, "exit code 1"],
  [
    "an error without an exit code",
    "<tool_use_error>File does not exist.</tool_use_error>",
    null,
    "File does not exist.",
  ],
])("a failed tool has %s", (_name, output, code, detail) =>
  expect(failedTool("Bash", output, code)).toEqual({ type: "tool.failed", name: "Bash", detail }));

const claudeCall = (id: string, name: string) =>
  JSON.stringify({
    type: "assistant",
    message: { id: "m", content: [{ type: "tool_use", id, name, input: { command: "x" } }] },
  });
const claudeResult = (id: string, content: unknown, isError?: boolean) =>
  JSON.stringify({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] },
  });
const codexItem = (type: string, item: object) => JSON.stringify({ type: `item.${type}`, item: { id: "i", ...item } });
const opencodeTool = (state: object) =>
  JSON.stringify({ type: "tool_use", sessionID: "s", part: { tool: "bash", state } });

const QWEN_OUTPUT = (code: number) =>
  `Command: npm test\nDirectory: (root)\nOutput: 1 failed\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;

test.each<[string, string, string[], [string, string][]]>([
  [
    "claude",
    "a command",
    [claudeCall("1", "Bash"), claudeResult("1", "Exit code 1\nError: boom", true)],
    [["Bash", "exit code 1: Error: boom"]],
  ],
  [
    "claude",
    "an error in parts",
    [claudeCall("1", "Edit"), claudeResult("1", [{ type: "text", text: "String not found" }], true)],
    [["Edit", "String not found"]],
  ],
  [
    "claude",
    "a result that only mentions an error",
    [claudeCall("1", "Read"), claudeResult("1", '"is_error":true Exit code 1')],
    [],
  ],
  [
    "claude",
    "a refused tool, which is shown as refused",
    [
      claudeCall("1", "Write"),
      JSON.stringify({
        type: "system",
        subtype: "permission_denied",
        tool_use_id: "1",
        tool_name: "Write",
        message: "no",
      }),
      claudeResult("1", "no", true),
    ],
    [],
  ],
  ["amp", "a command", [claudeCall("1", "Bash"), claudeResult("1", "boom", true)], [["Bash", "boom"]]],
  [
    "qwen",
    "a command",
    [claudeCall("1", "run_shell_command"), claudeResult("1", QWEN_OUTPUT(1), false)],
    [["run_shell_command", "exit code 1: 1 failed"]],
  ],
  [
    "qwen",
    "a command that succeeds",
    [claudeCall("1", "run_shell_command"), claudeResult("1", QWEN_OUTPUT(0), false)],
    [],
  ],
  ["qwen", "a file that quotes one", [claudeCall("1", "read_file"), claudeResult("1", QWEN_OUTPUT(1), false)], []],
  [
    "codex",
    "a command",
    [
      codexItem("started", { type: "command_execution", command: "npm test", status: "in_progress", exit_code: null }),
      codexItem("completed", {
        type: "command_execution",
        command: "npm test",
        status: "failed",
        exit_code: 2,
        aggregated_output: "ok\nFAIL x",
      }),
    ],
    [["shell", "exit code 2: FAIL x"]],
  ],
  [
    "codex",
    "a tool of a server",
    [
      codexItem("completed", {
        type: "mcp_tool_call",
        server: "s",
        tool: "t",
        status: "failed",
        error: { message: "no such page" },
      }),
    ],
    [["s.t", "no such page"]],
  ],
  [
    "codex",
    "a command that succeeds",
    [codexItem("completed", { type: "command_execution", command: "x", status: "completed", exit_code: 0 })],
    [],
  ],
  [
    "gemini",
    "a tool",
    [
      JSON.stringify({ type: "tool_use", tool_name: "read_file", tool_id: "1", parameters: {} }),
      JSON.stringify({ type: "tool_result", tool_id: "1", status: "error", error: { message: "File not found" } }),
    ],
    [["read_file", "File not found"]],
  ],
  [
    "opencode",
    "a tool",
    [opencodeTool({ status: "error", input: {}, error: "no such file" })],
    [["bash", "no such file"]],
  ],
  [
    "opencode",
    "a command",
    [opencodeTool({ status: "completed", input: {}, output: "1 failed", metadata: { exit: 1 } })],
    [["bash", "exit code 1: 1 failed"]],
  ],
])("%s: %s", async (command, _name, lines, failures) => {
  const adapter = await adapterFor({ command, flags: [], output: "stream", promptBy: null, price: null });
  const heard: AgentEvent[] = [];
  const reader = openReader(adapter, { claims: watchClaims(NO_CLAIM), onEvent: (event) => heard.push(event) });
  const shown = lines.map((line) => reader.add(Buffer.from(`${line}\n`))).join("");
  expect(heard.filter(({ type }) => type === "tool.failed")).toEqual(
    failures.map(([name, detail]) => ({ type: "tool.failed", name, detail })),
  );
  for (const [name, detail] of failures) expect(shown).toContain(`  ✗ ${name} failed: ${detail}\n`);
});
