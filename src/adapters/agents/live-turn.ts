import type { AgentEvent } from "../../core/agent.ts";
import { printable } from "../../core/ansi.ts";
import type { Blobs } from "../../core/blobs.ts";
import { NO_CLAIM } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { shorten } from "../../core/excerpt.ts";
import { type LoopState, sessionUsageOf } from "../../core/loop/state.ts";
import { NO_USAGE, priced, type Usage } from "../../core/usage.ts";
import { readerOf } from "./agent.ts";
import { openReader } from "./reader.ts";

/** What the agent does in the current turn, read from the log that its driver writes. */
export interface LiveTurn {
  /** Its last tool call; null if it has called none, or prints plain text. */
  tool: string | null;
  /** The last line that it has said; empty if nothing. */
  said: string;
  /** What the turn has used so far, as far as the agent reports it. */
  usage: Usage;
}

const QUIET: LiveTurn = { tool: null, said: "", usage: NO_USAGE };

/** Of a longer stream only the end is read: it has the current tool, and not all of the usage. */
const MOST_BYTES = 32 << 20;
const LAST_BYTES = 1 << 20;
const WORDS_CHARS = 160;

/** Nothing is stored for this: a turn that has ended has none. */
export async function liveTurn(blobs: Blobs, state: LoopState): Promise<LiveTurn> {
  const { spec, turn, agent } = state;
  if (!spec || !turn?.log || turn.ended) return QUIET;
  const { path, from } = turn.log;
  const to = await blobs.size(path);
  // Its driver has not written anything yet.
  if (to === null || to <= from) return QUIET;
  const adapter = await readerOf(spec, agent, turn.log);
  const isWhole = to - from <= (adapter.open ? MOST_BYTES : LAST_BYTES);
  let tool: string | null = null;
  let said = "";
  const onEvent = (event: AgentEvent) => {
    if (event.type === "tool.called") tool = oneLine(`${event.name} ${event.summary}`);
    if (event.type === "text.said") said = `${said}${event.text}`.slice(-SAID_CHARS);
    if (event.type === "message.ended") said += "\n";
  };
  const sessionUsage = sessionUsageOf(state);
  const reader = openReader(adapter, { claims: watchClaims(NO_CLAIM), onEvent, sessionUsage });
  for await (const chunk of blobs.read({ path, from: isWhole ? from : to - LAST_BYTES, to })) {
    const shown = reader.add(chunk);
    if (!adapter.open) said = `${said}${shown.toString()}`.slice(-SAID_CHARS);
  }
  const { usage } = reader.finish();
  const price = spec.agents[agent]?.price ?? null;
  return { tool, said: lastLine(said), usage: isWhole ? priced(usage, price) : NO_USAGE };
}

const SAID_CHARS = 2_000;

const oneLine = (text: string): string => shorten(printable(text), WORDS_CHARS);

const lastLine = (text: string): string =>
  text
    .split(/[\n\r]/)
    .map(oneLine)
    .findLast((line) => line !== "") ?? "";
