import type { AgentAdapter, AgentEvent } from "../../core/agent.ts";
import { stripAnsi } from "../../core/ansi.ts";
import type { Blobs } from "../../core/blobs.ts";
import { presets } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { excerpt, shorten } from "../../core/excerpt.ts";
import type { LogRef, LoopEvent } from "../../core/loop/events.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { Alarm } from "../../core/render.ts";
import type { LoopStore } from "../../core/store.ts";
import { NO_USAGE, type Usage } from "../../core/usage.ts";
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

/** Where loops are journalled, and what their agents printed is kept. */
interface Kept {
  store: LoopStore;
  blobs: Blobs;
}

/** Follows where a loop's attempts print. Each look tells all of them; the last one's end is known from the second look on. */
export function watchOutputs({ store, blobs }: Kept, loop: string): () => Promise<readonly AttemptOutput[]> {
  const outputs: AttemptOutput[] = [];
  let seq = 0;
  // A blob is made with the first output: until then there is none.
  const sizeOf = async (path: string) => (await blobs.size(path)) ?? 0;
  const note = async (event: LoopEvent) => {
    if (event.type !== "turn.began" || !event.log) return;
    const { n, attempt, agent, log } = event;
    const before = outputs.at(-1);
    if (before) before.to = before.path === log.path ? log.from : await sizeOf(before.path);
    outputs.push({ n, attempt, agent, ...log, to: log.from });
  };
  return async () => {
    const last = outputs.at(-1);
    // Taken before the journal is read: what a later turn had printed by then, that turn's entry tells.
    const size = last ? await sizeOf(last.path) : 0;
    for await (const entry of store.entries(loop, seq)) {
      seq = entry.seq;
      await note(entry.event);
    }
    if (last && last === outputs.at(-1)) last.to = Math.max(last.to, size);
    return outputs;
  };
}

/** It was made when the turn began: one that is not there was taken away, which is not the same as nothing printed. */
const isGone = async (blobs: Blobs, { file, path }: LogRef): Promise<boolean> =>
  file !== undefined && (await blobs.size(path)) === null;
const GONE = "(the log of this attempt is gone)\n";

/** Reads a stretch that may grow, each time from where it was left; what comes out is for people unless `raw`. */
export function outputTail(blobs: Blobs, spec: LoopSpec, { raw, alarm }: { raw: boolean; alarm?: Alarm | undefined }) {
  let reader: Reader | null = null;
  let at = 0;
  let told = false;
  return async function* (output: AttemptOutput): AsyncGenerator<Buffer | string> {
    const { path, from, to, agent } = output;
    const gone = !told && (await isGone(blobs, output));
    if (gone) yield GONE;
    told ||= gone;
    at = Math.max(at, from);
    if (to <= at) return;
    if (!raw)
      reader ??= openReader(await readerOf(spec, agent, output), {
        claims: watchClaims(presets.hook("")),
        ...(alarm ? { alarm } : {}),
      });
    const start = at;
    at = to;
    for await (const chunk of blobs.read({ path, from: start, to })) yield reader ? reader.add(chunk) : chunk;
  };
}

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
export async function turnWords(blobs: Blobs, log: LogRef, adapter: AgentAdapter): Promise<TurnWords | Gone> {
  const last: string[] = [];
  let count = 0;
  const onEvent = (event: AgentEvent) => {
    if (event.type !== "tool.called") return;
    count++;
    last.push(shorten(`${event.name}: ${event.summary}`, CALL_CHARS));
    if (last.length > LAST_CALLS) last.shift();
  };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), onEvent });
  const gone = await blobs.readIntact(log, (chunk) => void reader.add(chunk));
  if (gone !== null) return { gone };
  const { lastMessage } = reader.finish();
  return { lastMessage: stripAnsi(lastMessage), calls: adapter.open ? { count, last } : null };
}

/** The end of what the agent of the turn at hand said last. */
export async function lastWords(blobs: Blobs, { spec, turn, agent }: LoopState, maxChars: number): Promise<string> {
  if (!spec || !turn?.log) return "";
  const words = await turnWords(blobs, turn.log, await readerOf(spec, agent, turn.log));
  if ("gone" in words) return `(not known: the log of the turn cannot be read, ${words.gone})`;
  const said = words.lastMessage.trim();
  return said.length > maxChars ? `…${said.slice(-maxChars)}` : said;
}

const SAID_CHARS = 40_000;

/** All that the assistant said in one turn, bounded, its messages parted by blank lines. `to`: where the turn's output ends. */
export async function saidIn(blobs: Blobs, log: LogRef, adapter: AgentAdapter): Promise<string | Gone> {
  const said = excerpt(SAID_CHARS);
  const onEvent = (event: AgentEvent) => {
    if (event.type === "text.said") said.add(event.text);
    if (event.type === "message.ended") said.add("\n\n");
  };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), onEvent });
  const gone = await blobs.readIntact(log, (chunk) => void reader.add(chunk));
  if (gone !== null) return { gone };
  const { lastMessage } = reader.finish();
  return stripAnsi(adapter.open ? said.text() : lastMessage).trim();
}

interface SpentBy {
  adapter: AgentAdapter;
  /** What its session had cost before. */
  sessionUsage: Usage;
}

/**
 * What a turn that never ended is known to have cost, and the digest of its tools, read back from what it printed;
 * `unknown` where that cannot be read any more. An agent that never tells what it costs leaves nothing to be read.
 */
export async function spentIn(blobs: Blobs, log: LogRef, { adapter, sessionUsage }: SpentBy) {
  if (!adapter.open) return { usage: NO_USAGE, unknown: false, tools: null };
  const reader = openReader(adapter, { claims: watchClaims(presets.hook("")), sessionUsage });
  let bytes = 0;
  const gone = await blobs.readIntact(log, (chunk) => {
    bytes += chunk.length;
    reader.add(chunk);
  });
  // One that is empty was emptied, or the agent had not come to say anything yet: either way it tells nothing.
  const { usage, tools } = reader.finish();
  return { usage, unknown: gone !== null || bytes === 0, tools };
}
