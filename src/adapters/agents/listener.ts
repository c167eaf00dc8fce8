import { createHash } from "node:crypto";
import type { AgentEvent, TurnFault } from "../../core/agent.ts";
import type { ClaimReading } from "../../core/claim/claim.ts";
import type { ClaimWatch } from "../../core/claim/watch.ts";
import { excerpt } from "../../core/excerpt.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { usageMeter } from "../../core/usage-meter.ts";

export const MESSAGE_CHARS = 64_000;

/** What a run's events add up to. */
export interface TurnReport {
  reading: ClaimReading;
  /** What the assistant said last, bounded; the whole of plain output. */
  lastMessage: string;
  /** Null: the stream did not say how the turn ended. */
  result: "succeeded" | TurnFault | null;
  /** Whether anything in the output was a line of the stream that the agent is known for. */
  understood: boolean;
  /** The trouble that the agent was still trying to get past when it last spoke. */
  stalled: TurnFault | null;
  usage: Usage;
  sessionId: string | null;
  /** The model that answers, where the stream tells it. */
  model: string | null;
  /** What the session has cost in all, where the stream tells that. */
  sessionUsage: Usage | null;
  /** The first tool that the agent was not allowed to use; null where it was allowed any, or wanted none. */
  refused: { name: string; detail: string } | null;
  /** Digest of the tools used, empty where none was; null where the output does not tell. */
  tools: string | null;
}

/** Whether an event shows that the agent is at work. */
export const isProgress = ({ type }: AgentEvent): boolean =>
  type === "text.said" || type === "thought.had" || type === "tool.called";

/** Adds up the events of one run; `before` is what its session had cost until then. */
export function openListener(claims: ClaimWatch, before: Usage = NO_USAGE) {
  const tools = createHash("sha256");
  const usage = usageMeter(before);
  const last = lastMessage();
  const calls = { made: 0, denied: 0 };
  let refused: TurnReport["refused"] = null;
  const heard: Pick<TurnReport, "result" | "understood" | "stalled" | "sessionId" | "model"> = {
    result: null,
    understood: false,
    stalled: null,
    sessionId: null,
    model: null,
  };
  return {
    hear(event: AgentEvent) {
      heard.understood = true;
      if (isProgress(event)) {
        heard.stalled = null;
        // Work that began after a result needs a result of its own.
        if (heard.result === "succeeded") heard.result = null;
      }
      switch (event.type) {
        case "text.said":
          last.add(event.text);
          return claims.say(event.text);
        case "message.ended":
          last.end();
          return claims.endMessage();
        case "tool.called":
          calls.made++;
          tools.update(`${event.name}\0${event.summary}\0`);
          return claims.toolCalled();
        case "tool.denied":
          calls.denied++;
          refused ??= { name: event.name, detail: event.detail };
          return;
        case "session.opened":
          if (event.sessionId !== "") heard.sessionId = event.sessionId;
          heard.model = event.model ?? heard.model;
          return;
        case "usage.reported":
          return usage.add(event);
        case "turn.stalled":
          heard.stalled = event.fault;
          return;
        case "turn.succeeded":
          heard.result = "succeeded";
          return;
        case "turn.failed":
          heard.result = event.fault;
      }
    },
    finish: (): TurnReport => ({
      ...heard,
      ...usage.total(),
      refused: calls.denied >= calls.made ? refused : null,
      lastMessage: last.text(),
      tools: calls.made === 0 ? "" : tools.digest("hex"),
      reading: claims.finish(),
    }),
  };
}

/** Keeps the message at hand, or the last one that ended. */
function lastMessage() {
  let message = excerpt(MESSAGE_CHARS);
  let open = false;
  return {
    add(text: string) {
      if (!open) message = excerpt(MESSAGE_CHARS);
      open = true;
      message.add(text);
    },
    end() {
      open = false;
    },
    text: () => message.text(),
  };
}
