import { StringDecoder } from "node:string_decoder";
import type { AgentAdapter, AgentEvent, AgentStream } from "../../core/agent.ts";
import type { ClaimWatch } from "../../core/claim/watch.ts";
import { excerpt } from "../../core/excerpt.ts";
import { type Alarm, openRenderer } from "../../core/render.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { lineSplitter } from "../io/lines.ts";
import { MESSAGE_CHARS, openListener, type TurnReport } from "./listener.ts";

/** Longer lines of a structured stream are skipped. */
const MAX_LINE_BYTES = 8 << 20;

/** Parses an agent's output while it streams. */
export interface Reader {
  /** Receives a piece of standard output and returns what to show of it. */
  add(chunk: Buffer): Buffer | string;
  /** Adds an event that the stream does not contain; returns what to show of it. */
  note(event: AgentEvent): string;
  finish(): TurnReport;
}

interface ReaderOptions {
  claims: ClaimWatch;
  sessionUsage?: Usage;
  onEvent?(event: AgentEvent): void;
  /** Highlights what the user should not miss. */
  alarm?: Alarm;
  /** Whether the colours in messages are shown. */
  colours?: boolean;
}

export const openReader = (adapter: AgentAdapter, options: ReaderOptions): Reader =>
  adapter.open ? structuredReader(adapter.open(), adapter, options) : textReader(options);

/** Plain output is one message of the assistant. */
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
    note: () => "",
    finish() {
      say(decoder.end());
      return { ...NO_EVENTS, lastMessage: message.text(), reading: claims.finish() };
    },
  };
}

const NO_EVENTS = {
  result: null,
  understood: true,
  stalled: null,
  usage: NO_USAGE,
  sessionId: null,
  model: null,
  sessionUsage: null,
  denied: [],
  refused: null,
  tools: null,
} as const;

function structuredReader(
  stream: AgentStream,
  { unheard = [], heardWith = [] }: Pick<AgentAdapter, "unheard" | "heardWith">,
  options: ReaderOptions,
): Reader {
  const skipped = unheard.map((beginning) => Buffer.from(beginning));
  const isSkipped = (line: Buffer) =>
    skipped.some((beginning) => line.subarray(0, beginning.length).equals(beginning)) &&
    !heardWith.some((mark) => line.includes(mark));
  const listener = openListener(options.claims, options.sessionUsage);
  const render = openRenderer(options.alarm, options.colours);
  let shown = "";
  const hear = (event: AgentEvent) => {
    shown += render(event);
    options.onEvent?.(event);
    listener.hear(event);
  };
  const lines = lineSplitter(MAX_LINE_BYTES, (line) => {
    if (isSkipped(line)) return;
    for (const event of stream.line(line.toString())) hear(event);
  });
  return {
    add(chunk) {
      shown = "";
      lines.add(chunk);
      return shown;
    },
    note(event) {
      shown = "";
      hear(event);
      return shown;
    },
    finish() {
      lines.end();
      for (const event of stream.end?.() ?? []) hear(event);
      return listener.finish();
    },
  };
}
