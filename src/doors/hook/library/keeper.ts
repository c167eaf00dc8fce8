import type { AgentEvent, TurnFault } from "../../../core/agent.ts";
import type { StopRequest } from "../../../core/loop/events.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import type { Usage } from "../../../core/usage.ts";

/** A loop that is wanted in a session. */
export interface WantedLoop {
  sessionId: string;
  prompt: string;
  description: string | null;
  /** The agent that can go on with it without the host; null: whichever the settings name. */
  agent: string | null;
  context: "fresh" | "continue";
  /** What the session had cost before. */
  usage: Usage;
  /** Whether the host tells what its sessions cost. */
  measured: boolean;
  /** Whether a claim without any work is refused. */
  guarded?: boolean;
  /** In the form of settings, not looked at yet: they win over the files. */
  flags: Readonly<Record<string, unknown>>;
  /** When it began, where that was before. */
  startedMs?: number;
}

/** What came of it; `prompt` is what to tell the agent first. */
export type KeptStart = { ok: true; loop: string; prompt: string } | { ok: false; reason: string };

/** A loop of a session, as the journal has it. */
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

/** The loops of one folder that go on in sessions of this host. The journal is the truth: others may change them. */
export interface LoopKeeper {
  /** Starts one at once, without a run of its checks before the work. */
  start(wanted: WantedLoop): KeptStart;
  begin(wanted: WantedLoop): Promise<KeptStart>;
  /** The active loop of a session, or the latest active one; one that was asked to stop is active no more. */
  find(sessionId?: string): KeptLoop | null;
  /** All that are active. */
  list(): KeptLoop[];
  /** Goes on with a loop after a turn, of which was told at `arrivedMs`. Null: there is nothing to do. */
  attend(loop: KeptLoop, events: readonly AgentEvent[], arrivedMs: number): Promise<KeptStep | null>;
  stop(loop: KeptLoop, request: StopRequest): Promise<void>;
  /** Stops it at once; whoever is at it just now is asked to. */
  stopNow(loop: KeptLoop, request: StopRequest): void;
  /** Goes on in another session. False: it does not, for it goes on here no more. */
  move(loop: KeptLoop, to: string): Promise<boolean>;
  /** What the agent is told in the turn at hand. */
  promptOf(loop: KeptLoop): string;
  /** What an error of the host means for a turn that it took away. */
  faultOf(error: { name: string; message: string }): TurnFault;
}
