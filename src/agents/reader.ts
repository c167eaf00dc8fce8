import { createHash } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import type { AgentAdapter, AgentEvent, AgentStream, TurnFault } from "../core/agent.ts";
import type { ClaimReading } from "../core/claim/claim.ts";
import type { ClaimWatch } from "../core/claim/watch.ts";
import { excerpt } from "../core/excerpt.ts";
import { type Alarm, openRenderer } from "../core/render.ts";
import { NO_USAGE, type Usage } from "../core/usage.ts";
import { usageMeter } from "../core/usage-meter.ts";
import { lineSplitter } from "../io/lines.ts";

const MESSAGE_CHARS = 16_000;

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
  /** What the assistant said last, bounded; the whole of plain output. */
  lastMessage: string;
  /** Null: the stream did not say how the turn ended. */
  result: "succeeded" | TurnFault | null;
  /** The trouble that the agent was still trying to get past when it last spoke. */
  stalled: TurnFault | null;
  usage: Usage;
  sessionId: string | null;
  /** What the session has cost in all, where the stream tells that. */
  sessionUsage: Usage | null;
  /** Tools that the agent wanted to use and was not allowed to. */
  denied: readonly { name: string; detail: string }[];
  /** Digest of the tools used; null where the output does not tell. */
  tools: string | null;
}

export interface ReaderOptions {
  claims: ClaimWatch;
  /** What the session had cost before this run. */
  sessionUsage?: Usage;
  /** Told of everything that is heard. */
  onEvent?(event: AgentEvent): void;
  /** Colours what a person should not miss. */
  alarm?: Alarm;
}

export const openReader = (adapter: AgentAdapter, options: ReaderOptions): Reader =>
  adapter.open ? structuredReader(adapter.open(), adapter.unheard ?? [], options) : textReader(options);

/** Plain output is the assistant's text, all of it one message. */
function textReader({ claims }: ReaderOptions): Reader {
  const decoder = new StringDecoder("utf8");
  const message = excerpt(MESSAGE_CHARS);
  const say = (text: string) => {
    claims.say(text);
    message.add(text);
  };
  return {
    add(chunk) {
      say(decoder.write(chunk));
      return chunk;
    },
    finish() {
      say(decoder.end());
      return { ...NOTHING_HEARD, lastMessage: message.text(), reading: claims.finish() };
    },
  };
}

const NOTHING_HEARD = {
  result: null,
  stalled: null,
  usage: NO_USAGE,
  sessionId: null,
  sessionUsage: null,
  denied: [],
  tools: null,
} as const;

/** Denials that are kept; the rest say the same. */
const MOST_DENIED = 5;

function structuredReader(stream: AgentStream, unheard: readonly string[], options: ReaderOptions): Reader {
  const { claims, onEvent } = options;
  const skipped = unheard.map((beginning) => Buffer.from(beginning));
  const tools = createHash("sha256");
  const usage = usageMeter(options.sessionUsage ?? NO_USAGE);
  const denied: { name: string; detail: string }[] = [];
  const render = openRenderer(options.alarm);
  let shown = "";
  let result: Heard["result"] = null;
  let stalled: TurnFault | null = null;
  let sessionId: string | null = null;
  const last = lastMessage();
  const hear = (event: AgentEvent) => {
    shown += render(event);
    onEvent?.(event);
    if (isProgress(event)) stalled = null;
    switch (event.type) {
      case "text.said":
        last.add(event.text);
        return claims.say(event.text);
      case "message.ended":
        last.end();
        return claims.endMessage();
      case "tool.called":
        tools.update(`${event.name}\0${event.summary}\0`);
        return claims.toolCalled();
      case "tool.denied":
        if (denied.length < MOST_DENIED) denied.push({ name: event.name, detail: event.detail });
        return;
      case "session.opened":
        sessionId = event.sessionId;
        return;
      case "usage.reported":
        return usage.add(event);
      case "turn.stalled":
        stalled = event.fault;
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
    for (const event of stream.line(line.toString())) hear(event);
  });
  return {
    add(chunk) {
      shown = "";
      lines.add(chunk);
      return shown;
    },
    finish() {
      lines.end();
      for (const event of stream.end?.() ?? []) hear(event);
      const heard = {
        result,
        stalled,
        sessionId,
        denied,
        lastMessage: last.text(),
        tools: tools.digest("hex"),
      };
      return { reading: claims.finish(), ...heard, ...usage.total() };
    },
  };
}

/** Whether an event shows that the agent is at work. */
export const isProgress = ({ type }: AgentEvent): boolean =>
  type === "text.said" || type === "thought.had" || type === "tool.called";

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
