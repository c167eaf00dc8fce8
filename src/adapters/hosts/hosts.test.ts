import { expect, test } from "vitest";
import { isAgentOf, toolSession } from "./hosts.ts";

const CLAUDE = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s-1" };

test.each<[string, NodeJS.ProcessEnv, ReturnType<typeof toolSession>]>([
  ["a terminal", {}, null],
  ["a tool of Claude Code", { ...CLAUDE, AI_AGENT: "claude-code_2-1-325_agent" }, { host: "claude", id: "s-1" }],
  ["a hook of Claude Code", { ...CLAUDE, AI_AGENT: "claude-code_2-1-325_harness" }, null],
  ["a Claude Code that sets no marker", CLAUDE, null],
  ["a tool of Codex", { CODEX_THREAD_ID: "s-2", CODEX_TOOL_CALL_ID: "call_1" }, { host: "codex", id: "s-2" }],
  ["a hook of Codex", { CODEX_MANAGED_BY_NPM: "1" }, null],
])("knows %s", (_name, env, session) => {
  expect(toolSession(env)).toEqual(session);
});

test.each([
  ["claude", "claude", true],
  ["claude", "/usr/bin/claude", true],
  ["claude", "codex", false],
  ["some-program", "some-program", true],
  ["some-program", "/bin/some-program", false],
])("in a session of %s, is %s its agent: %s", (host, command, is) => {
  expect(isAgentOf(host, command)).toBe(is);
});
