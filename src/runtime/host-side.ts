import { openListener } from "../adapters/agents/listener.ts";
import { toolSession } from "../adapters/hosts/hosts.ts";
import { keptOf } from "../adapters/io/leftovers.ts";
import { findByEnvironment } from "../adapters/io/tokens.ts";
import type { AgentEvent } from "../core/agent.ts";
import type { Blobs } from "../core/blobs.ts";
import { claimOf } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import type { LoopChange } from "../core/loop/kind.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/loop/store.ts";
import { priced, type Usage } from "../core/usage.ts";
import { drive, promptOf } from "../engine/drive.ts";
import type { EnginePorts, TurnResult } from "../engine/ports.ts";

/** What a host reports about an ended turn. */
export interface HostTurn {
  events: readonly AgentEvent[];
  /** Whether the events include every tool call: only then does none mean that no tool was used. */
  tellsTools: boolean;
  /** The host's record of the turn's cost is gone. */
  usageUnknown?: true;
}

/** The host of a loop that runs in its session: it runs the turns and gets the next prompt. */
export interface HostSide {
  sessionId: string;
  /** The session's cost before the loop moved there; null if unknown or the loop was already there. */
  sessionUsage: Usage | null;
  name: string;
  /** The turn that has ended; null when a loop starts or is resumed. */
  turn: HostTurn | null;
  basePrompt(state: LoopState): string;
  say(prompt: string, state: LoopState): void;
}

/** Drives a loop whose turns run in a host. Each call goes as far as possible without the host, then ends. */
export function driveHost(
  loop: LoadedLoop,
  ports: EnginePorts,
  { host, blobs }: { host: HostSide; blobs: Blobs },
): AsyncGenerator<LoopChange, LoopState> {
  let state = loop.state;
  const hosted: EnginePorts = {
    ...ports,
    newTurn(n, attempt, now) {
      const marks = ports.newTurn(n, attempt, now);
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

/** The result of a host's turn, read like that of any agent. Its events are written to the turn's log. */
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
    ...leftInSession(host),
  };
}

/** Commands of the session that still run. They belong to the host, so they are only named. */
function leftInSession({ name, sessionId }: HostSide): Pick<TurnResult, "left"> {
  const left = keptOf(
    findByEnvironment((env) => {
      const session = toolSession(env);
      return session?.host === name && session.id === sessionId;
    }),
  );
  return left ? { left } : {};
}
