import { createReadStream, existsSync, statSync } from "node:fs";
import type { AgentAdapter, AgentEvent } from "../../core/agent.ts";
import { stripAnsi } from "../../core/ansi.ts";
import { presets } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { excerpt, shorten } from "../../core/excerpt.ts";
import type { LogRef, LoopEvent } from "../../core/loop/events.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { Alarm } from "../../core/render.ts";
import type { LoopStore } from "../../core/store.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
import { readStretch } from "../io/stretch.ts";
import { readerOf } from "./agent.ts";
import { openReader, type Reader } from "./reader.ts";

/** The byte range of one attempt's output. */
export interface AttemptOutput extends LogRef {
  n: number;
  attempt: number;
  /** Its place in the list of agents. */
  agent: number;
  to: number;
}

/**
 * Tracks the output of a loop's attempts. Each call returns all of them; the end of the last one is known from the
 * second call on.
 */
export function watchOutputs(store: LoopStore, loop: string): () => Promise<readonly AttemptOutput[]> {
  const outputs: AttemptOutput[] = [];
  let seq = 0;
  const note = (event: LoopEvent) => {
    if (event.type !== "turn.began" || !event.log) return;
    const { n, attempt, agent, log } = event;
    const before = outputs.at(-1);
    if (before) before.to = before.path === log.path ? log.from : sizeOf(before.path);
    outputs.push({ n, attempt, agent, ...log, to: log.from });
  };
  return async () => {
    const last = outputs.at(-1);
    // Read before the journal, so that it cannot include the output of a later turn.
    const size = last ? sizeOf(last.path) : 0;
    for await (const entry of store.entries(loop, seq)) {
      seq = entry.seq;
      note(entry.event);
    }
    if (last && last === outputs.at(-1)) last.to = Math.max(last.to, size);
    return outputs;
  };
}

/** The log was created when the turn began: a missing one was deleted, which is not the same as no output. */
const isGone = ({ file, path }: LogRef): boolean => file !== undefined && !existsSync(path);
const GONE = "(the log of this attempt is gone)\n";

/** Reads a growing byte range from where the last call stopped. Returns readable text unless `raw`. */
export function outputTail(spec: LoopSpec, raw: boolean, alarm?: Alarm) {
  let reader: Reader | null = null;
  let at = 0;
  let reported = false;
  return async function* (output: AttemptOutput): AsyncGenerator<Buffer | string> {
    const { path, from, to, agent } = output;
    if (isGone(output) && !reported) yield GONE;
    reported ||= isGone(output);
    at = Math.max(at, from);
    if (to <= at) return;
    if (!raw)
      reader ??= openReader(await readerOf(spec, agent, output), {
        claims: watchClaims(presets.hook("")),
        ...(alarm ? { alarm } : {}),
      });
    const [start, end] = [at, to - 1];
    at = to;
    for await (const chunk of createReadStream(path, { start, end })) {
      yield reader ? reader.add(chunk as Buffer) : (chunk as Buffer);
    }
  };
}

/** The file is created with the first output. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A turn's last message and tool calls, read back from its output. */
export interface TurnWords {
  lastMessage: string;
  /** Null if the output does not show them. */
  calls: ToolCalls | null;
}

interface ToolCalls {
  count: number;
  /** The last ones, as `name: summary`. */
  last: readonly string[];
}

const LAST_CALLS = 60;
const CALL_CHARS = 160;

/** Why output cannot be read back. */
export interface Gone {
  gone: string;
}

/** Reads back the last turn in a log. */
export async function turnWords(log: LogRef, adapter: AgentAdapter): Promise<TurnWords | Gone> {
  const last: string[] = [];
  let count = 0;
  const onEvent = (event: AgentEvent) => {
    if (event.type !== "tool.called") return;
    count++;
    last.push(shorten(`${event.name}: ${event.summary}`, CALL_CHARS));
    if (last.length > LAST_CALLS) last.shift();
  };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), onEvent });
  const gone = await readStretch(log, (chunk) => void reader.add(chunk));
  if (gone !== null) return { gone };
  const { lastMessage } = reader.finish();
  return { lastMessage: stripAnsi(lastMessage), calls: adapter.open ? { count, last } : null };
}

const SAID_CHARS = 40_000;

/**
 * Everything the assistant said in one turn, bounded, with blank lines between messages. `to`: the end of the turn's
 * output.
 */
export async function saidIn(log: LogRef & { to?: number }, adapter: AgentAdapter): Promise<string | Gone> {
  const said = excerpt(SAID_CHARS);
  const onEvent = (event: AgentEvent) => {
    if (event.type === "text.said") said.add(event.text);
    if (event.type === "message.ended") said.add("\n\n");
  };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), onEvent });
  const gone = await readStretch(log, (chunk) => void reader.add(chunk));
  if (gone !== null) return { gone };
  const { lastMessage } = reader.finish();
  return stripAnsi(adapter.open ? said.text() : lastMessage).trim();
}

/**
 * The usage and tool digest of an interrupted turn, read back from its output; `unknown` if the output is gone. An
 * agent that never reports its usage has none to read.
 */
export async function spentIn(log: LogRef, adapter: AgentAdapter, sessionUsage: Usage) {
  if (!adapter.open) return { usage: NO_USAGE, unknown: false, tools: null };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), sessionUsage });
  let bytes = 0;
  const gone = await readStretch(log, (chunk) => {
    bytes += chunk.length;
    reader.add(chunk);
  });
  // An empty log was truncated, or the agent had printed nothing yet: the usage is unknown either way.
  const { usage, tools } = reader.finish();
  return { usage, unknown: gone !== null || bytes === 0, tools };
}
