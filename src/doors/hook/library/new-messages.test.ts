import { expect, test } from "vitest";
import type { PlainMessage } from "./message.ts";
import { type HeardMessages, hear, seenIn, wasTold } from "./new-messages.ts";

const user = (content: string): PlainMessage => ({ role: "user", content });
const agent = (content?: string): PlainMessage => ({ role: "assistant", content });
const heard = (texts: string[], more: Partial<HeardMessages> = {}): HeardMessages => ({
  texts,
  isWaiting: false,
  isUnchanged: false,
  ...more,
});

test.each<[string, PlainMessage[], PlainMessage[] | null, HeardMessages]>([
  ["everything if nothing was seen", [agent("a"), agent("b")], null, heard(["a", "b"])],
  ["only messages after the last user message", [agent("old"), user("go"), agent("a")], null, heard(["a"])],
  ["nothing while the agent has not answered", [agent("a"), user("go")], null, heard([], { isWaiting: true })],
  ["an answer without text is an answer", [user("go"), agent()], null, heard([])],
  ["only messages added since the last prompt", [agent("a"), agent("b")], [agent("a")], heard(["b"])],
  ["nothing if nothing was added", [agent("a")], [agent("a")], heard([], { isUnchanged: true })],
  ["everything if the list is another one", [agent("b")], [agent("a")], heard(["b"])],
  ["everything if the list is shorter", [agent("b")], [agent("a"), agent("b")], heard(["b"])],
  ["neither tool nor system messages", [{ role: "tool", content: "t" }, { content: "?" }], null, heard([])],
])("reads %s", (_name, messages, before, expected) => {
  expect(hear(messages, before && seenIn(before))).toEqual(expected);
});

test.each<[PlainMessage[], boolean | null]>([
  [[agent("[RALPH 2]")], null],
  [[user("Task"), agent("a")], false],
  [[user("Note: [RALPH 2]\n\nGo on"), agent("a")], true],
])("knows whether a prompt was reported: %j", (messages, told) => {
  expect(wasTold(messages, "[RALPH 2]\n\nGo on")).toBe(told);
});
