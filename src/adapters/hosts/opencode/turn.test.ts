import { expect, test } from "vitest";
import { recordedEvents, recordedMessages } from "../../../../test/support/opencode-events.ts";
import { readTurn } from "./turn.ts";

const step = { type: "usage.reported", of: "step", usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.0008 } };
const said = (text: string) => [{ type: "text.said", text }, { type: "message.ended" }];
const model = { type: "session.opened", model: "scripted/model" };
const done = { type: "turn.succeeded" };
const asked = { agent: "build", model: { providerID: "scripted", modelID: "model" } };

test("a turn's text, tools and cost", () => {
  expect(readTurn(recordedMessages("normal-turn"), null, 0)).toMatchObject({
    is: "ended",
    turn: {
      events: [
        step,
        step,
        ...said("I run it."),
        { type: "tool.called", name: "bash", summary: "echo hello-bash" },
        ...said("Answer 3 to: hello BASH"),
        model,
        done,
      ],
      asked,
    },
  });
});

test("text before a later user message does not count, its cost does", () => {
  const messages = recordedMessages("prompt-while-busy");
  const [first] = messages;
  const before = { info: { id: "before", role: "assistant" }, parts: [] };
  const reading = readTurn([before, ...messages], "before", 0);
  expect(first?.info.role).toBe("user");
  expect(reading).toMatchObject({
    is: "ended",
    turn: { events: [step, step, { type: "text.said" }, { type: "message.ended" }, model, done] },
  });
});

test("a model error is reported by its kind", () => {
  expect(readTurn(recordedMessages("model-error-400"), null, 0)).toMatchObject({
    is: "ended",
    turn: {
      events: [
        { type: "usage.reported" },
        model,
        { type: "turn.failed", fault: { kind: "crashed", detail: "APIError: scripted error" } },
      ],
    },
  });
});

/** How many events there are up to the nth idle. */
const untilIdle = (name: string, nth: number): number =>
  recordedEvents(name).flatMap(({ type }, at) => (type === "session.idle" ? [at + 1] : []))[nth - 1] ?? 0;

test.each([
  ["the first idle after an error", "model-error-400", 1, "unfinished"],
  ["the second idle after an error", "model-error-400", 2, "ended"],
  ["the first idle after an abort", "abort-mid-turn", 1, "unfinished"],
  ["the second idle after an abort", "abort-mid-turn", 2, "aborted"],
  ["an abort between two attempts", "model-error-500-then-abort", 1, "aborted"],
  ["the idle of a subagent's session", "subagent", 1, "unfinished"],
  ["the idle after a subagent's", "subagent", 2, "ended"],
])("%s", (_name, recording, nth, is) => {
  expect(readTurn(recordedMessages(recording, untilIdle(recording, nth)), null, 0).is).toBe(is);
});

test.each([[null], [[]], [[null, 1, "x"]], [[{ info: { role: "user" } }]]])("nothing can be read from %j", (data) => {
  expect(readTurn(data, null, 0)).toEqual({ is: "unfinished" });
});

test("text of a summary, and synthetic text, do not count", () => {
  const info = { id: "m", role: "assistant", time: { completed: 1 }, finish: "stop" };
  const text = { type: "text", text: "<promise>DONE</promise>" };
  const messages = [
    { info: { role: "user" }, parts: [] },
    { info: { ...info, summary: true }, parts: [text] },
    {
      info,
      parts: [
        { ...text, synthetic: true },
        { type: "reasoning", text: "hm" },
      ],
    },
  ];
  expect(readTurn(messages, null, 0)).toMatchObject({
    turn: { events: [{ type: "usage.reported" }, { type: "usage.reported" }, done], asked: {} },
  });
});
