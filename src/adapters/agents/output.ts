import type { AgentAdapter, AgentEvent } from "../../core/agent.ts";
import { stripAnsi } from "../../core/ansi.ts";
import type { Blobs } from "../../core/blobs.ts";
import { NO_CLAIM } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { nullOn } from "../../core/errors.ts";
import { excerpt, shorten } from "../../core/excerpt.ts";
import type { LogRef, LoopEvent } from "../../core/loop/events.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { LoopStore } from "../../core/loop/store.ts";
import type { Alarm } from "../../core/render.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { readerOf } from "./agent.ts";
import { openReader, type Reader } from "./reader.ts";

/** The byte range of one attempt's output; `agent` is a place in the list of agents. */
export interface AttemptOutput extends LogRef {
  n: number;
  attempt: number;
  agent: number;
  to: number;
}

/** Each call returns the outputs of all attempts of a loop. The end of the last one is known from the second call. */
export function watchOutputs({ store, blobs }: { store: LoopStore; blobs: Blobs }, loop: string) {
  const outputs: AttemptOutput[] = [];
  let seq = 0;
  // A blob is created with the first output.
  const sizeOf = async (path: string) => (await blobs.size(path)) ?? 0;
  const note = async (event: LoopEvent) => {
    if (event.type !== "turn.began" || !event.log) return;
    const { n, attempt, agent, log } = event;
    const before = outputs.at(-1);
    if (before) before.to = before.path === log.path ? log.from : await sizeOf(before.path);
    outputs.push({ n, attempt, agent, ...log, to: log.from });
  };
  return async (): Promise<readonly AttemptOutput[]> => {
    const last = outputs.at(-1);
    // Read before the journal, so that it cannot include the output of a later turn.
    const size = last ? await sizeOf(last.path) : 0;
    for await (const entry of store.entries(loop, seq)) {
      seq = entry.seq;
      await note(entry.event);
    }
    if (last && last === outputs.at(-1)) last.to = Math.max(last.to, size);
    return outputs;
  };
}

/** The log was created when the turn began: a missing one was deleted, which is not the same as no output. */
const isGone = async (blobs: Blobs, { file, path }: LogRef): Promise<boolean> =>
  file !== undefined && (await blobs.size(path)) === null;
const GONE = "(the log of this attempt is gone)\n";
const REPLACED = "(the log of this attempt cannot be read: something else is in its place)\n";

interface TailOptions {
  raw: boolean;
  alarm?: Alarm | undefined;
  colours?: boolean;
  /** Checked at every piece, because a reader may turn very much output into no text. */
  quit?: AbortSignal | undefined;
}

/** Reads a growing byte range from where the last call stopped. Returns readable text unless `raw`. */
export function outputTail(blobs: Blobs, spec: LoopSpec, { raw, alarm, colours = false, quit }: TailOptions) {
  let reader: Reader | null = null;
  let at = 0;
  let isFirst = true;
  let isLost = false;
  const readerFor = async (output: AttemptOutput): Promise<Reader> => {
    const how = { claims: watchClaims(NO_CLAIM), colours, ...(alarm ? { alarm } : {}) };
    return openReader(await readerOf(spec, output.agent, output), how);
  };
  // A log that was created is opened even to read nothing of it: something else may be in its place.
  const isDue = ({ to, file }: AttemptOutput) => to > at || (isFirst && file !== undefined);
  return async function* (output: AttemptOutput): AsyncGenerator<Buffer | string> {
    if (isLost) return;
    isLost = await isGone(blobs, output);
    if (isLost) return yield GONE;
    at = Math.max(at, output.from);
    if (!isDue(output)) return;
    isFirst = false;
    if (!raw) reader ??= await readerFor(output);
    const piece = pieceOf(output, at, Math.max(at, output.to));
    at = piece.to;
    try {
      for await (const chunk of blobs.read(piece, quit)) yield reader ? reader.add(chunk) : chunk;
    } catch (error) {
      nullOn("log-missing")(error);
      isLost = true;
      yield REPLACED;
    }
  };
}

/** A part of an attempt's log, by the places in the log. */
export const pieceOf = ({ path, file }: LogRef, from: number, to: number) => ({
  ...{ path, from, to },
  ...(file === undefined ? {} : { file }),
});

/** A turn's last message and tool calls, read back from its output. */
export interface TurnWords {
  lastMessage: string;
  /** The last ones, as `name: summary`; null if the output does not show them. */
  calls: { count: number; last: readonly string[] } | null;
}

const LAST_CALLS = 60;
const CALL_CHARS = 160;

export interface Gone {
  gone: string;
}

/** Reads back the last turn in a log. */
export async function turnWords(blobs: Blobs, log: LogRef, adapter: AgentAdapter): Promise<TurnWords | Gone> {
  const last: string[] = [];
  let count = 0;
  const onEvent = (event: AgentEvent) => {
    if (event.type !== "tool.called") return;
    count++;
    last.push(shorten(`${event.name}: ${event.summary}`, CALL_CHARS));
    if (last.length > LAST_CALLS) last.shift();
  };
  const lastMessage = await readBack(blobs, log, { adapter, onEvent });
  if (typeof lastMessage !== "string") return lastMessage;
  return { lastMessage: stripAnsi(lastMessage), calls: adapter.open ? { count, last } : null };
}

interface ReadingBack {
  adapter: AgentAdapter;
  onEvent(event: AgentEvent): void;
}

/** Reads the events of a turn from its log. Returns its last message. */
async function readBack(blobs: Blobs, log: LogRef, { adapter, onEvent }: ReadingBack): Promise<string | Gone> {
  const reader = openReader(adapter, { claims: watchClaims(NO_CLAIM), onEvent });
  const gone = await blobs.readIntact(log, (chunk) => void reader.add(chunk));
  return gone === null ? reader.finish().lastMessage : { gone };
}

/** The end of the agent's last message in the current turn. */
export async function lastWords(blobs: Blobs, { spec, turn, agent }: LoopState, maxChars: number): Promise<string> {
  if (!spec || !turn?.log) return "";
  const words = await turnWords(blobs, turn.log, await readerOf(spec, agent, turn.log));
  if ("gone" in words) return `(not known: the log of the turn cannot be read, ${words.gone})`;
  const said = words.lastMessage.trim();
  return said.length > maxChars ? `…${said.slice(-maxChars)}` : said;
}

const SAID_CHARS = 40_000;

/** Everything the assistant said in one turn, bounded, with blank lines between messages. */
export async function saidIn(blobs: Blobs, log: LogRef, adapter: AgentAdapter): Promise<string | Gone> {
  const said = excerpt(SAID_CHARS);
  const onEvent = (event: AgentEvent) => {
    if (event.type === "text.said") said.add(event.text);
    if (event.type === "message.ended") said.add("\n\n");
  };
  const lastMessage = await readBack(blobs, log, { adapter, onEvent });
  if (typeof lastMessage !== "string") return lastMessage;
  return stripAnsi(adapter.open ? said.text() : lastMessage).trim();
}

interface SpentBy {
  adapter: AgentAdapter;
  sessionUsage: Usage;
}

/** The usage and tool digest of an interrupted turn, read back from its output; `unknown` if the output is gone. */
export async function spentIn(blobs: Blobs, log: LogRef, { adapter, sessionUsage }: SpentBy) {
  if (!adapter.open) return { usage: NO_USAGE, unknown: false, tools: null };
  const reader = openReader(adapter, { claims: watchClaims(NO_CLAIM), sessionUsage });
  let bytes = 0;
  const gone = await blobs.readIntact(log, (chunk) => {
    bytes += chunk.length;
    reader.add(chunk);
  });
  // An empty log was truncated, or the agent had printed nothing yet: the usage is unknown either way.
  const { usage, tools } = reader.finish();
  return { usage, unknown: gone !== null || bytes === 0, tools };
}
