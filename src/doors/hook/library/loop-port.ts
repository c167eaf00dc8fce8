import type { AgentEvent, TurnFault } from "../../../core/agent.ts";
import type { StopRequest } from "../../../core/loop/events.ts";
import { titleOf } from "../../../core/loop/from-settings.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { Usage } from "../../../core/usage.ts";
import type { HostStep } from "../host-loop.ts";
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
export type StartResult = { ok: true; loop: string; prompt: string } | { ok: false; reason: string };

export interface LibraryLoop {
  id: string;
  sessionId: string;
  state: LoopState;
}

/** The active loops of one folder in sessions of this host, read from the journal: other processes may change them. */
export interface LoopPort {
  /** Starts one at once, without running its checks first. */
  start(wanted: WantedLoop): StartResult;
  begin(wanted: WantedLoop): Promise<StartResult>;
  /** The active loop of a session, or the latest active one, without loops that were asked to stop. */
  find(sessionId?: string): LibraryLoop | null;
  list(): LibraryLoop[];
  /** Continues a loop after a turn that was reported at `arrivedMs`. Null if there is nothing to do. */
  attend(loop: LibraryLoop, events: readonly AgentEvent[], arrivedMs: number): Promise<HostStep | null>;
  stop(loop: LibraryLoop, request: StopRequest): Promise<void>;
  /** Stops it at once, or asks the process that drives it to stop. */
  stopNow(loop: LibraryLoop, request: StopRequest): void;
  /** Moves it to another session. False if it is no longer active here. */
  move(loop: LibraryLoop, to: string): Promise<boolean>;
  promptOf(loop: LibraryLoop): string;
  /** Classifies an error of the host that ended a turn. */
  faultOf(error: { name: string; message: string }): TurnFault;
}

/** A loop of the journal, as hosts see it. */
export function shownState({ sessionId, state }: LibraryLoop): RalphLoopState {
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
