import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../core/agent.ts";
import { type HostAnswer, type HostEvent, NO_ANSWER } from "../../../core/host.ts";
import { answerIn, opencodeDialect as opencodeHost } from "./dialect.ts";

const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 2, costUsd: 0.5 };
const events: AgentEvent[] = [
  { type: "text.said", text: "$& {{MAX}}\n---\n" },
  { type: "message.ended" },
  { type: "tool.called", name: "bash", summary: "ls" },
  { type: "tool.denied", name: "bash", detail: "no" },
  { type: "session.opened", sessionId: "ses_1", model: "a/b" },
  { type: "usage.reported", usage, of: "step" },
  { type: "turn.failed", fault: { kind: "rate-limited", detail: "wait", retryAtMs: 5 } },
  { type: "turn.succeeded" },
];
const session = { host: "opencode", id: "ses_1", cwd: "/work" };

test.each<HostEvent>([
  { type: "command.typed", command: "ralph", arguments: `"do it" --max-iterations=3`, usage },
  { type: "command.typed", command: "ralph-status", arguments: "" },
  { type: "session.idle", events, tellsTools: true },
  { type: "session.aborted" },
  { type: "session.deleted" },
  { type: "session.moved", to: "ses_2" },
])("the plugin's $type arrives as it was sent", (event) => {
  const line = JSON.stringify({ session, event, arrivedMs: 7 });
  expect(opencodeHost.read(JSON.parse(line))).toEqual({ session, event, arrivedMs: 7 });
});

test.each([
  [null],
  [{}],
  [{ session, event: { type: "session.compacted" } }],
  [{ session: { ...session, id: "" }, event: { type: "session.aborted" } }],
  [{ session, event: { type: "command.typed", command: "rm", arguments: "" } }],
  [{ session, event: { type: "session.moved" } }],
])("%j is ignored", (payload) => {
  expect(opencodeHost.read(payload)).toBeNull();
});

test("no payload and no answer makes it throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (payload, printed) => {
      opencodeHost.read(payload);
      opencodeHost.read({ session, event: payload });
      opencodeHost.read({ session, event: { type: "session.idle", events: [payload] } });
      answerIn(printed);
      answerIn(JSON.stringify(payload));
    }),
  );
});

test.each<HostAnswer>([
  NO_ANSWER,
  { prompt: { text: "Go on.\n", fresh: true }, toasts: [], says: "", refused: false },
  { ...NO_ANSWER, toasts: [{ title: "a", message: "b", variant: "warning", duration: 5 }], says: "no", refused: true },
])("an answer arrives as it was given", (answer) => {
  expect(answerIn(opencodeHost.write(answer, { type: "session.aborted" }))).toEqual(answer);
});

test.each([
  ["nothing", "", NO_ANSWER],
  ["invalid JSON", "Error: no", null],
  ["JSON that is not an answer", `{"toasts":[]}`, null],
])("%s is understood", (_name, printed, answer) => {
  expect(answerIn(printed)).toEqual(answer);
});
