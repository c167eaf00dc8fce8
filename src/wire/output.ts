import { createReadStream, statSync } from "node:fs";
import { openReader, type Reader } from "../agents/reader.ts";
import type { AgentAdapter, AgentEvent } from "../core/agent.ts";
import { stripAnsi } from "../core/ansi.ts";
import { presets } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import { excerpt, shorten } from "../core/excerpt.ts";
import type { LogRef, LoopEvent } from "../core/loop/events.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { Alarm } from "../core/render.ts";
import type { LoopStore } from "../core/store.ts";
import { NO_USAGE, type Usage } from "../core/usage.ts";
import { readerOf } from "./agent.ts";

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

/** Reads a stretch that may grow, each time from where it was left; what comes out is for people unless `raw`. */
export function outputTail(spec: LoopSpec, raw: boolean, alarm?: Alarm) {
  let reader: Reader | null = null;
  let at = 0;
  return async function* (output: AttemptOutput): AsyncGenerator<Buffer | string> {
    const { path, from, to, agent } = output;
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

export interface ToolCalls {
  count: number;
  /** The last ones, as `name: summary`. */
  last: readonly string[];
}

const LAST_CALLS = 60;
const CALL_CHARS = 160;

/** Reads the words of the turn that was the last one to print there. */
export async function turnWords({ path, from }: LogRef, adapter: AgentAdapter): Promise<TurnWords> {
  const last: string[] = [];
  let count = 0;
  const onEvent = (event: AgentEvent) => {
    if (event.type !== "tool.called") return;
    count++;
    last.push(shorten(`${event.name}: ${event.summary}`, CALL_CHARS));
    if (last.length > LAST_CALLS) last.shift();
  };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), onEvent });
  if (sizeOf(path) > from)
    for await (const chunk of createReadStream(path, { start: from })) reader.add(chunk as Buffer);
  const { lastMessage } = reader.finish();
  return { lastMessage: stripAnsi(lastMessage), calls: adapter.open ? { count, last } : null };
}

const SAID_CHARS = 40_000;

/** All that the assistant said in one turn, bounded, its messages parted by blank lines. `to`: where the turn's output ends. */
export async function saidIn({ path, from, to }: LogRef & { to?: number }, adapter: AgentAdapter): Promise<string> {
  const said = excerpt(SAID_CHARS);
  const onEvent = (event: AgentEvent) => {
    if (event.type === "text.said") said.add(event.text);
    if (event.type === "message.ended") said.add("\n\n");
  };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), onEvent });
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, sizeOf(path));
  if (end > from)
    for await (const chunk of createReadStream(path, { start: from, end: end - 1 })) reader.add(chunk as Buffer);
  const { lastMessage } = reader.finish();
  return stripAnsi(adapter.open ? said.text() : lastMessage).trim();
}

/** What a turn that never ended is known to have cost, read back from what it printed. */
export async function spentIn({ path, from }: LogRef, adapter: AgentAdapter, sessionUsage: Usage): Promise<Usage> {
  if (!adapter.open || sizeOf(path) <= from) return NO_USAGE;
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), sessionUsage });
  for await (const chunk of createReadStream(path, { start: from })) reader.add(chunk as Buffer);
  return reader.finish().usage;
}
