import { expect, test } from "vitest";
import type { AgentEvent } from "./agent.ts";
import { openRenderer } from "./render.ts";

const said = (...texts: string[]): AgentEvent[] => [
  ...texts.map((text): AgentEvent => ({ type: "text.said", text })),
  { type: "message.ended" },
];
const tool = (summary: string): AgentEvent => ({ type: "tool.called", name: "Bash", summary });

test.each<[string, AgentEvent[], string]>([
  ["messages on separate lines", [...said("One."), ...said("Two.")], "One.\nTwo.\n"],
  ["no blank line after a message that ends its line", [...said("One.\n"), ...said("\n\nTwo.\n\n")], "One.\nTwo.\n"],
  ["blank lines inside a message, one at a time", said("a\n\n", "\n\nb\n", "\nc"), "a\n\nb\n\nc\n"],
  ["a line as soon as it is complete", [{ type: "text.said", text: "a\n" }], "a\n"],
  ["nothing for an empty message", [...said(""), ...said("\n\n")], ""],
  ["a tool on one line", [tool("npm\n  test")], "  → Bash npm test\n"],
  ["a tool in the middle of a message on its own line", [...said("a").slice(0, 1), tool("x")], "a\n  → Bash x\n"],
  [
    "a refused tool",
    [{ type: "tool.denied", name: "Bash", detail: "not allowed" }],
    "!  ✗ refused: Bash not allowed!\n",
  ],
  ["no thoughts", [{ type: "thought.had", text: "hm" }], ""],
  ["no colours", said("\u001b[31mred\u001b[0m"), "red\n"],
  ["no cursor movement, even in pieces", said("\u001b[", "1A\u001b[2", "K✓ verified"), "✓ verified\n"],
  ["no carriage return over our own line", said("talk\r  ✓ proven"), "talk  ✓ proven\n"],
  ["no window title", said("a\u001b]0;evil\u0007b"), "ab\n"],
  ["no 8-bit controls", said("a\u009b2Jb"), "a2Jb\n"],
  ["no escape in a tool", [tool("echo \u001b[2J\u001b]0;t\u0007x\ry")], "  → Bash echo x y\n"],
  ["tabs", said("a\tb"), "a\tb\n"],
])("shows %s", (_name, events, shown) => {
  const render = openRenderer((line) => `!${line}!`);
  expect(events.map(render).join("")).toBe(shown);
});
