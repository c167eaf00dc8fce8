import { expect, test } from "vitest";
import type { AgentEvent } from "../../core/agent.ts";
import { scriptedAgent } from "./scripted.ts";

const agent = scriptedAgent("/opt/scripted.js");
const run = { prompt: "go", flags: ["r.yaml"], sessionId: null, iteration: 2, attempt: 3, purpose: "work" } as const;
const stream = agent.open?.();

test("starts the player with the scenario, the prompt on its input and the loop position in its environment", () => {
  expect(agent.command(run)).toEqual({
    file: process.execPath,
    args: ["/opt/scripted.js", "r.yaml"],
    stdin: "go",
    env: { RALPH_ITERATION: "2", RALPH_ATTEMPT: "3", RALPH_SESSION: "", RALPH_PURPOSE: "work" },
  });
  expect(agent.command({ ...run, sessionId: "s-1" }).env).toMatchObject({ RALPH_SESSION: "s-1" });
});

test.each<[AgentEvent]>([
  [{ type: "session.opened", sessionId: "s" }],
  [{ type: "text.said", text: 'line\u2028 "quoted"' }],
  [{ type: "message.ended" }],
  [{ type: "thought.had", text: "hm" }],
  [{ type: "tool.called", name: "shell", summary: "ls" }],
  [{ type: "tool.returned", summary: "exit 0" }],
  [{ type: "usage.reported", usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 2, costUsd: 0.5 }, of: "step" }],
  [{ type: "turn.succeeded" }],
  [{ type: "turn.failed", fault: { kind: "crashed", detail: "x" } }],
  [{ type: "turn.failed", fault: { kind: "rate-limited", detail: "x", retryAtMs: 5 } }],
])("reads back %j", (event) => {
  expect(stream?.line(JSON.stringify(event))).toEqual([event]);
});

test.each([
  [""],
  ["plain text"],
  ['{"type":"text.said","text":"cut'],
  ['{"type":"text.said"}'],
  ['{"type":"text.said","text":5}'],
  ['{"type":"text.shouted","text":"x"}'],
  ['{"type":"turn.failed","fault":{"kind":"bored","detail":""}}'],
  ['{"type":"__proto__"}'],
  ["null"],
  ["[]"],
])("ignores %s", (line) => {
  expect(stream?.line(line)).toEqual([]);
});
