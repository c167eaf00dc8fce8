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

/** One attempt's stretch of output, as far as it is known to be its own. */
export interface AttemptOutput extends LogRef {
  n: number;
  attempt: number;
  /** Its place in the list of agents. */
  agent: number;
  to: number;
}

/** Follows where a loop's attempts print. Each look tells all of them; the last one's end is known from the second look on. */
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
    // Taken before the journal is read: what a later turn had printed by then, that turn's entry tells.
    const size = last ? sizeOf(last.path) : 0;
    for await (const entry of store.entries(loop, seq)) {
      seq = entry.seq;
      note(entry.event);
    }
    if (last && last === outputs.at(-1)) last.to = Math.max(last.to, size);
    return outputs;
  };
}

/** It was made when the turn began: one that is not there was taken away, which is not the same as nothing printed. */
const isGone = ({ file, path }: LogRef): boolean => file !== undefined && !existsSync(path);
const GONE = "(the log of this attempt is gone)\n";

/** Reads a stretch that may grow, each time from where it was left; what comes out is for people unless `raw`. */
export function outputTail(spec: LoopSpec, raw: boolean, alarm?: Alarm) {
  let reader: Reader | null = null;
  let at = 0;
  let told = false;
  return async function* (output: AttemptOutput): AsyncGenerator<Buffer | string> {
    const { path, from, to, agent } = output;
    if (isGone(output) && !told) yield GONE;
    told ||= isGone(output);
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

/** A file is made with the first output: until then there is none. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** What a turn said last and did, read back from what it printed. */
export interface TurnWords {
  lastMessage: string;
  /** Null where the output does not tell. */
  calls: ToolCalls | null;
}

interface ToolCalls {
  count: number;
  /** The last ones, as `name: summary`. */
  last: readonly string[];
}

const LAST_CALLS = 60;
const CALL_CHARS = 160;

/** What was printed cannot be read back, and why. */
export interface Gone {
  gone: string;
}

/** Reads the words of the turn that was the last one to print there. */
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

/** All that the assistant said in one turn, bounded, its messages parted by blank lines. `to`: where the turn's output ends. */
export async function turnText(log: LogRef & { to?: number }, adapter: AgentAdapter): Promise<string | Gone> {
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
 * What a turn that never ended is known to have cost, and the digest of its tools, read back from what it printed;
 * `unknown` where that cannot be read any more. An agent that never tells what it costs leaves nothing to be read.
 */
export async function spentIn(log: LogRef, adapter: AgentAdapter, sessionUsage: Usage) {
  if (!adapter.open) return { usage: NO_USAGE, unknown: false, tools: null };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), sessionUsage });
  let bytes = 0;
  const gone = await readStretch(log, (chunk) => {
    bytes += chunk.length;
    reader.add(chunk);
  });
  // One that is empty was emptied, or the agent had not come to say anything yet: either way it tells nothing.
  const { usage, tools } = reader.finish();
  return { usage, unknown: gone !== null || bytes === 0, tools };
}
