import type { AgentEvent, TurnFault } from "../../../core/agent.ts";
import type { StopRequest } from "../../../core/loop/events.ts";
import { titleOf } from "../../../core/loop/from-settings.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { Usage } from "../../../core/usage.ts";
import type { RalphLoopState } from "./contract.ts";

export interface WantedLoop {
  sessionId: string;
  prompt: string;
  description: string | null;
  /** The agent that can continue it outside the host; null: the one in the settings. */
  agent: string | null;
  context: "fresh" | "continue";
  /** The cost of the session before the loop. */
  usage: Usage;
  /** Whether the host reports what its sessions cost. */
  measured: boolean;
  guarded?: boolean;
  /** Settings that are not validated yet; they override the files. */
  flags: Readonly<Record<string, unknown>>;
  /** When it started, if another program started it. */
  startedMs?: number;
}

/** The result; `prompt` is the agent's first prompt. */
export type KeptStart = { ok: true; loop: string; prompt: string } | { ok: false; reason: string };

export interface KeptLoop {
  id: string;
  sessionId: string;
  state: LoopState;
}

/** The state of a loop when it is the host's turn; `prompt` is null if it has stopped. */
export interface KeptStep {
  id: string;
  state: LoopState;
  prompt: string | null;
}

/** The active loops of one folder in sessions of this host, read from the journal: other processes may change them. */
export interface LoopKeeper {
  /** Starts one at once, without running its checks first. */
  start(wanted: WantedLoop): KeptStart;
  begin(wanted: WantedLoop): Promise<KeptStart>;
  /** The active loop of a session, or the latest active one, without loops that were asked to stop. */
  find(sessionId?: string): KeptLoop | null;
  list(): KeptLoop[];
  /** Continues a loop after a turn that was reported at `arrivedMs`. Null if there is nothing to do. */
  attend(loop: KeptLoop, events: readonly AgentEvent[], arrivedMs: number): Promise<KeptStep | null>;
  stop(loop: KeptLoop, request: StopRequest): Promise<void>;
  /** Stops it at once, or asks the process that drives it to stop. */
  stopNow(loop: KeptLoop, request: StopRequest): void;
  /** Moves it to another session. False if it is no longer active here. */
  move(loop: KeptLoop, to: string): Promise<boolean>;
  promptOf(loop: KeptLoop): string;
  /** Classifies an error of the host that ended a turn. */
  faultOf(error: { name: string; message: string }): TurnFault;
}

/** A loop of the journal, as hosts see it. */
export function shownState({ sessionId, state }: KeptLoop): RalphLoopState {
  const { spec, n, limits, startedAtMs, atMs } = state;
  const prompt = spec && "text" in spec.prompt ? spec.prompt.text : "";
  return {
    active: true,
    iteration: Math.max(1, n),
    maxIterations: limits.maxIterations ?? Number.POSITIVE_INFINITY,
    completionPromise: spec?.claim.promise ?? "",
    startedAt: new Date(startedAtMs).toISOString(),
    prompt,
    sessionId,
    ...(n > 1 ? { lastIterationAt: new Date(atMs).toISOString() } : {}),
    ...(spec && spec.title !== titleOf(prompt) ? { description: spec.title } : {}),
  };
}
