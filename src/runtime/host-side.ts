import { openListener } from "../adapters/agents/listener.ts";
import type { AgentEvent } from "../core/agent.ts";
import type { Blobs } from "../core/blobs.ts";
import { claimOf } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import type { LoopChange } from "../core/loop/kind.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/store.ts";
import { priced, type Usage } from "../core/usage.ts";
import { drive, promptOf } from "../engine/drive.ts";
import type { EnginePorts, TurnResult } from "../engine/ports.ts";

/** What a host tells of a turn that has ended. */
export interface HostTurn {
  events: readonly AgentEvent[];
  /** Whether they hold every tool that was used: only then no tool means that none was. */
  tellsTools: boolean;
  /** The host's record of what the turn has cost is gone. */
  usageUnknown?: true;
}

/** A host in whose session a loop runs: it makes the turns, and is given the next prompt. */
export interface HostSide {
  sessionId: string;
  /** What its session had cost before the loop moved there; null: unknown, or the loop was there before. */
  sessionUsage: Usage | null;
  name: string;
  /** The turn that has ended; null where a loop begins, or is taken up. */
  turn: HostTurn | null;
  basePrompt(state: LoopState): string;
  say(prompt: string, state: LoopState): void;
}

/** The loop where a host has the turns: each goes as far as it can without the host, and ends while that is at work. */
export function driveHost(
  loop: LoadedLoop,
  ports: EnginePorts,
  { host, blobs }: { host: HostSide; blobs: Blobs },
): AsyncGenerator<LoopChange, LoopState> {
  let state = loop.state;
  const hosted: EnginePorts = {
    ...ports,
    newTurn(n, attempt) {
      const marks = ports.newTurn(n, attempt);
      const path = marks.log && `${marks.log.path.replace(/\.log$/, "")}-${n}-${attempt}.jsonl`;
      return { ...marks, log: path ? { path, from: 0, as: "events" } : null };
    },
    async readPrompt(now) {
      state = now;
      return host.basePrompt(now);
    },
    async runTurn({ prompt }) {
      host.say(prompt, state);
      return null;
    },
  };
  return drive(loop, hosted, host.turn && hearHost(state, host, { turn: host.turn, blobs }));
}

/** What a turn of a host comes to, read as any agent's is; its words are kept where its log is to be. */
function hearHost(
  state: LoopState,
  host: HostSide,
  { turn: ended, blobs }: { turn: HostTurn; blobs: Blobs },
): TurnResult | null {
  const { events, tellsTools, usageUnknown } = ended;
  const { spec, turn, sessionUsage } = state;
  if (!spec || !turn || turn.ended) return null;
  const told = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  if (turn.log) {
    const log = blobs.write(turn.log.path);
    log.create();
    log.write(told);
    log.close();
  }
  const claims = watchClaims(claimOf(spec.claim, turn.nonce), { prompt: promptOf(state, host.basePrompt(state)) });
  const listener = openListener(claims, sessionUsage);
  for (const event of events) listener.hear(event);
  const heard = listener.finish();
  const { result, reading, model, tools } = heard;
  return {
    reading,
    source: "host",
    fault: result === "succeeded" ? null : result,
    refused: null,
    usage: priced(heard.usage, spec.agents[state.agent]?.price ?? null),
    sessionId: host.sessionId,
    sessionUsage: heard.sessionUsage,
    ...(usageUnknown ? { usageUnknown } : {}),
    logTo: told.length,
    tools: tellsTools || tools !== "" ? tools : null,
    model,
  };
}
