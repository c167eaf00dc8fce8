import { createHash } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import type { AgentAdapter, AgentEvent, TurnFault } from "../core/agent.ts";
import type { ClaimReading } from "../core/claim/claim.ts";
import type { ClaimWatch } from "../core/claim/watch.ts";
import { renderEvent } from "../core/render.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/usage.ts";
import { lineSplitter } from "../io/lines.ts";

/** No line of a structured stream that matters is longer; one that is, is passed over. */
const MAX_LINE_BYTES = 8 << 20;

/** What an agent's output says, gathered while it streams. */
export interface Reader {
  /** Takes a piece of standard output; returns what a person should see of it. */
  add(chunk: Buffer): Buffer | string;
  finish(): Heard;
}

export interface Heard {
  reading: ClaimReading;
  /** Null: the stream did not say how the turn ended. */
  result: "succeeded" | TurnFault | null;
  usage: Usage;
  sessionId: string | null;
  /** Digest of the tools used; null where the output does not tell. */
  tools: string | null;
}

export const openReader = (adapter: AgentAdapter, claims: ClaimWatch): Reader =>
  adapter.parse ? structuredReader(adapter.parse, claims, adapter.unheard) : textReader(claims);

/** Plain output is the assistant's text, all of it one message. */
function textReader(claims: ClaimWatch): Reader {
  const decoder = new StringDecoder("utf8");
  return {
    add(chunk) {
      claims.say(decoder.write(chunk));
      return chunk;
    },
    finish() {
      claims.say(decoder.end());
      return { reading: claims.finish(), result: null, usage: NO_USAGE, sessionId: null, tools: null };
    },
  };
}

function structuredReader(
  parse: (line: string) => AgentEvent[],
  claims: ClaimWatch,
  unheard: readonly string[] = [],
): Reader {
  const skipped = unheard.map((beginning) => Buffer.from(beginning));
  const tools = createHash("sha256");
  let shown = "";
  let result: Heard["result"] = null;
  let sessionId: string | null = null;
  let usage = NO_USAGE;
  const hear = (event: AgentEvent) => {
    shown += renderEvent(event);
    switch (event.type) {
      case "text.said":
        return claims.say(event.text);
      case "message.ended":
        return claims.endMessage();
      case "tool.called":
        tools.update(`${event.name}\0${event.summary}\0`);
        return claims.toolCalled();
      case "session.opened":
        sessionId = event.sessionId;
        return;
      case "usage.reported":
        usage = event.cumulative ? event.usage : addUsage(usage, event.usage);
        return;
      case "turn.succeeded":
        result = "succeeded";
        return;
      case "turn.failed":
        result = event.fault;
    }
  };
  const lines = lineSplitter(MAX_LINE_BYTES, (line) => {
    if (skipped.some((beginning) => line.subarray(0, beginning.length).equals(beginning))) return;
    for (const event of parse(line.toString())) hear(event);
  });
  return {
    add(chunk) {
      shown = "";
      lines.add(chunk);
      return shown;
    },
    finish() {
      lines.end();
      return { reading: claims.finish(), result, usage, sessionId, tools: tools.digest("hex") };
    },
  };
}
