import { createHash } from "node:crypto";
import type { AgentEvent, TurnFault } from "../../core/agent.ts";
import type { ClaimReading } from "../../core/claim/claim.ts";
import type { ClaimWatch } from "../../core/claim/watch.ts";
import { excerpt } from "../../core/excerpt.ts";
import { type RefusedTool, refusalCounter } from "../../core/refusals.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { usageMeter } from "../../core/usage-meter.ts";

export const MESSAGE_CHARS = 64_000;

export interface TurnReport {
  reading: ClaimReading;
  /** The assistant's last message, or all of plain output; bounded. */
  lastMessage: string;
  /** Null if the stream does not show how the turn ended. */
  result: "succeeded" | TurnFault | null;
  /** Whether the output contained any line of the agent's known stream format. */
  understood: boolean;
  /** The trouble that the agent was still retrying at the end. */
  stalled: TurnFault | null;
  usage: Usage;
  sessionId: string | null;
  model: string | null;
  /** The total usage of the session, if the stream reports it. */
  sessionUsage: Usage | null;
  /** All tools that were denied. */
  denied: readonly RefusedTool[];
  /** The first tool that was denied; null if any tool was allowed or none was called. */
  refused: { name: string; detail: string } | null;
  /** A digest of the tool calls; empty if there were none, null if the output does not show them. */
  tools: string | null;
}

/** Whether an event shows that the agent is working. */
export const isProgress = ({ type }: AgentEvent): boolean =>
  type === "text.said" || type === "thought.had" || type === "tool.called";

/** Summarises the events of one run. `before` is the usage of its session so far. */
export function openListener(claims: ClaimWatch, before: Usage = NO_USAGE) {
  const tools = createHash("sha256");
  const usage = usageMeter(before);
  const last = lastMessage();
  const calls = { made: 0, denied: 0 };
  const denied = refusalCounter();
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
        // Work after a result needs another result.
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
          denied.add(event.name, event.input ?? "");
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
      denied: denied.tools(),
      refused: calls.denied >= calls.made ? refused : null,
      lastMessage: last.text(),
      tools: calls.made === 0 ? "" : tools.digest("hex"),
      reading: claims.finish(),
    }),
  };
}

/** Keeps the current message, or the last one that ended. */
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
