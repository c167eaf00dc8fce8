import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HostAnswer, type HostEvent, NO_ANSWER } from "../../core/host.ts";
import { claudeDialect as claudeHost } from "./claude/dialect.ts";
import { codexDialect as codexHost } from "./codex/dialect.ts";

const DIALECTS = { claude: claudeHost, codex: codexHost };
type Name = keyof typeof DIALECTS;

const recorded = (host: Name, name: string): unknown =>
  JSON.parse(readFileSync(`test/fixtures/host-events/${host}/${name}.json`, "utf8"));
const idle = (text: string): HostEvent => ({
  type: "session.idle",
  events: [{ type: "text.said", text }, { type: "message.ended" }],
  tellsTools: false,
});
const typed: HostEvent = {
  type: "command.typed",
  command: "ralph",
  arguments: '"fix it" --max-iterations 3 and $HOME `x` it\'s',
};

test.each<[Name, string, HostEvent | null]>([
  ["claude", "UserPromptSubmit-slash", typed],
  ["claude", "UserPromptSubmit", null],
  ["claude", "UserPromptSubmit-task-notification", null],
  // The same prompt arrives twice, and is answered once.
  ["claude", "UserPromptExpansion", null],
  ["claude", "UserPromptExpansion-plugin", null],
  ["claude", "Stop", idle("Answer 3")],
  ["claude", "Stop-active", idle("A2")],
  ["claude", "Stop-background-task", null],
  ["claude", "SubagentStop", null],
  ["claude", "StopFailure-429", null],
  ["claude", "SessionStart", null],
  ["claude", "SessionEnd", { type: "session.deleted" }],
  ["codex", "UserPromptSubmit-slash", typed],
  ["codex", "UserPromptSubmit", null],
  ["codex", "Stop", idle("D")],
  ["codex", "Stop-active", idle("A2")],
  ["codex", "PostToolUse", null],
  ["codex", "SessionStart", null],
  ["codex", "SessionEnd", { type: "session.deleted" }],
])("%s: %s", (host, name, event) => {
  const told = DIALECTS[host].read(recorded(host, name));
  expect(told?.event ?? null).toEqual(event);
  if (told) expect(told.session).toEqual({ host, id: expect.stringMatching(/^[0-9a-f-]{36}$/), cwd: "/project" });
});

test("a prompt has the id that its host gave it", () => {
  expect(claudeHost.read(recorded("claude", "UserPromptSubmit-slash"))?.once).toBe(
    "232c93bb-0f3e-4bb1-b400-4fb58d207ebb",
  );
  expect(codexHost.read(recorded("codex", "UserPromptSubmit-slash"))?.once).toBe(
    "01a1e1aa-3395-7cf2-ab36-6ff547880b4c",
  );
});

const fields = fc.record(
  {
    session_id: fc.anything(),
    cwd: fc.anything(),
    hook_event_name: fc.oneof(fc.constantFrom("Stop", "UserPromptSubmit", "SessionEnd"), fc.anything()),
    prompt: fc.anything(),
    last_assistant_message: fc.anything(),
    background_tasks: fc.anything(),
    transcript_path: fc.anything(),
  },
  { requiredKeys: [] },
);

test.each(Object.entries(DIALECTS))("%s: no payload makes it throw", (_name, dialect) => {
  fc.assert(
    fc.property(fc.oneof(fields, fc.anything()), (payload) => {
      const told = dialect.read(payload);
      if (told) expect(dialect.look?.(payload, { type: "session.deleted" })).toBeDefined();
    }),
  );
});

const toasts: HostAnswer["toasts"] = [{ title: "Ralph Loop", message: "Iteration 2/5", variant: "info" }];
const prompted: HostAnswer = { ...NO_ANSWER, prompt: { text: "Go on", fresh: false }, toasts };
const context = (additionalContext: unknown) => ({
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext },
});
const systemMessage = "Ralph Loop: Iteration 2/5";

test.each<[Name, string, HostAnswer, HostEvent, unknown]>([
  ["claude", "continues", prompted, idle(""), { decision: "block", reason: "Go on", systemMessage }],
  ["claude", "stops", { ...NO_ANSWER, toasts }, idle(""), { systemMessage }],
  ["claude", "has nothing to do", NO_ANSWER, idle(""), null],
  ["claude", "starts", prompted, typed, { ...context("Go on"), systemMessage }],
  ["claude", "refuses", { ...NO_ANSWER, says: "No.", refused: true }, typed, { decision: "block", reason: "No." }],
  [
    "claude",
    "cannot start",
    { ...NO_ANSWER, toasts, refused: true },
    typed,
    { decision: "block", reason: systemMessage },
  ],
  ["claude", "is gone", { ...NO_ANSWER, toasts }, { type: "session.deleted" }, null],
  ["codex", "continues", prompted, idle(""), { decision: "block", reason: "Go on", systemMessage }],
  ["codex", "has nothing to do", NO_ANSWER, idle(""), null],
  ["codex", "starts", prompted, typed, { ...context("Go on"), systemMessage }],
  ["codex", "refuses", { ...NO_ANSWER, says: "No." }, typed, context(expect.stringMatching(/nothing else\.\n\nNo\.$/))],
  ["codex", "is gone", { ...NO_ANSWER, toasts }, { type: "session.deleted" }, null],
])("%s %s", (host, _what, answer, event, written) => {
  const text = DIALECTS[host].write(answer, event);
  expect(text === "" ? null : JSON.parse(text)).toEqual(written);
});
