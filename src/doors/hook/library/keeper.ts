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
  /** The agent that can continue it without the host; null: the one in the settings. */
  agent: string | null;
  context: "fresh" | "continue";
  /** What the session had cost before. */
  usage: Usage;
  /** Whether the host reports what its sessions cost. */
  measured: boolean;
  guarded?: boolean;
  /** In the form of settings, not looked at yet: they win over the files. */
  flags: Readonly<Record<string, unknown>>;
  /** When it began, where that was before. */
  startedMs?: number;
}

/** The result; `prompt` is the agent's first prompt. */
export type KeptStart = { ok: true; loop: string; prompt: string } | { ok: false; reason: string };

export interface KeptLoop {
  id: string;
  sessionId: string;
  state: LoopState;
}

/** How far a loop got before its host has to do something; `prompt` is null where it has stopped. */
export interface KeptStep {
  id: string;
  state: LoopState;
  prompt: string | null;
}

/** The loops of one folder that are active in sessions of this host. The journal is the truth: other processes may change them. */
export interface LoopKeeper {
  /** Starts one at once, without a run of its checks before the work. */
  start(wanted: WantedLoop): KeptStart;
  begin(wanted: WantedLoop): Promise<KeptStart>;
  /** The active loop of a session, or the latest active one; one that was asked to stop is active no more. */
  find(sessionId?: string): KeptLoop | null;
  list(): KeptLoop[];
  /** Continues a loop after a turn that was reported at `arrivedMs`. Null: there is nothing to do. */
  attend(loop: KeptLoop, events: readonly AgentEvent[], arrivedMs: number): Promise<KeptStep | null>;
  stop(loop: KeptLoop, request: StopRequest): Promise<void>;
  /** Stops it at once; a process that drives it is asked to. */
  stopNow(loop: KeptLoop, request: StopRequest): void;
  /** Moves it to another session. False: it is not active here any more. */
  move(loop: KeptLoop, to: string): Promise<boolean>;
  promptOf(loop: KeptLoop): string;
  /** What an error of the host means for a turn that it took away. */
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
