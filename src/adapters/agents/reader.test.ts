import { expect, test } from "vitest";
import type { AgentAdapter, AgentEvent } from "../../core/agent.ts";
import { presets } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { commandAgent } from "./command.ts";
import type { TurnReport } from "./listener.ts";
import { openReader } from "./reader.ts";
import { scriptedAgent } from "./scripted.ts";

const structured = scriptedAgent("/player.js");
const TAG = "<promise>DONE</promise>";

function hear(adapter: AgentAdapter, output: string): TurnReport & { shown: string } {
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("DONE")) });
  const bytes = Buffer.from(output);
  let shown = "";
  // Seven bytes at a time: tags, lines and characters are all cut somewhere.
  for (let at = 0; at < bytes.length; at += 7) shown += reader.add(bytes.subarray(at, at + 7)).toString();
  return { ...reader.finish(), shown };
}

const lines = (...events: AgentEvent[]) => `${events.map((event) => JSON.stringify(event)).join("\n")}\n`;
const said: AgentEvent[] = [{ type: "text.said", text: TAG }, { type: "message.ended" }];

test("plain output is the assistant's text and is shown unchanged", () => {
  const { reading, result, shown } = hear(commandAgent("x"), `All good.\n${TAG}\n`);
  expect(reading.claim?.text).toBe("DONE");
  expect(result).toBeNull();
  expect(shown).toBe(`All good.\n${TAG}\n`);
});

test.each<[string, AgentEvent[], boolean]>([
  ["the assistant's text claims", said, true],
  ["thinking does not", [{ type: "thought.had", text: TAG }], false],
  ["tool output does not", [{ type: "tool.returned", summary: TAG }], false],
  ["a tool call does not", [{ type: "tool.called", name: "Write", summary: TAG }], false],
  [
    "a promise before more tool calls does not, if nothing verifies it",
    [...said, { type: "tool.called", name: "Edit", summary: "a" }],
    false,
  ],
  ["fragments of one message are one text", [...TAG].map((text) => ({ type: "text.said", text })), true],
])("in a structured stream %s", (_name, events, claims) => {
  expect(hear(structured, lines(...events)).reading.claim !== null).toBe(claims);
});

test("gathers session, usage and result, and shows tools as one-liners", () => {
  const usage = { inputTokens: 3, cachedTokens: 1, outputTokens: 2, costUsd: 0.5 };
  const heard = hear(
    structured,
    lines(
      { type: "session.opened", sessionId: "s1" },
      { type: "tool.called", name: "Bash", summary: "npm\ntest" },
      { type: "usage.reported", usage, of: "step" },
      { type: "usage.reported", usage, of: "step" },
      { type: "turn.succeeded" },
    ),
  );
  expect(heard).toMatchObject({
    sessionId: "s1",
    result: "succeeded",
    usage: { inputTokens: 6, cachedTokens: 2, outputTokens: 4, costUsd: 1 },
  });
  expect(heard.shown).toBe("  → Bash npm test\n");
});

test("garbage, unknown events and a truncated last line are tolerated", () => {
  const heard = hear(structured, `not json\n{"type":"new.thing"}\n\u0000\u0001\n${lines(...said)}{"type":"turn.succ`);
  expect(heard.reading.claim?.text).toBe("DONE");
  expect(heard.result).toBeNull();
});

test("refused tools count only if no other tool was allowed", () => {
  const call: AgentEvent = { type: "tool.called", name: "Write", summary: "a" };
  const denial: AgentEvent = { type: "tool.denied", name: "Write", detail: "not granted" };
  expect(hear(structured, lines(call, denial)).refused).toEqual({ name: "Write", detail: "not granted" });
  expect(hear(structured, lines(call, denial, call)).refused).toBeNull();
  expect(hear(structured, lines(call)).refused).toBeNull();
});
