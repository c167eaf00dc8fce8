import type { Holder } from "./holder.ts";
import type { Addressee } from "./subject.ts";

/** What a driver does right now. */
export interface Doing {
  kind: "tool" | "guardrail" | "check" | "effect" | "set-up";
  /** On one line, without control characters. */
  text: string;
  sinceMs: number;
}

/** What a loop's driver knows and no journal shows. */
export interface LoopPulse {
  /** The agent of the current turn, and its model if it is known. */
  agent: string;
  model: string | null;
  turnBeganMs: number | null;
  /** Null: nothing that takes time, or unknown. */
  doing: Doing | null;
  /** When the agent last printed something. */
  heardMs: number | null;
  /** What the current turn has used so far. */
  costUsd: number;
  tokens: number;
}

/** What an execution works on. A slot is free or has a task. */
export interface ExecutionPulse {
  holder: Holder;
  startedMs: number;
  target: string;
  slots: readonly ({ task: string; sinceMs: number } | null)[];
  /** The tasks whose merge waits for another one, in order; the first is being merged. */
  merging: readonly string[];
}

/** The newest pulse of one driver, and when it was written. */
export type Pulse = { id: string; atMs: number } & (
  | { kind: "loop"; pulse: LoopPulse }
  | { kind: "execution"; pulse: ExecutionPulse }
);

type NewPulse = Pulse extends infer One ? (One extends Pulse ? Omit<One, "atMs"> : never) : never;

/**
 * Volatile rows beside the journals, for those who look. A row may be lost or outlive its driver: readers
 * check the driver's lease. Any program of the user can write one. Nothing is decided by it.
 */
export interface Pulses {
  /** Replaces the row. Never throws: a driver works on without it. */
  beat(pulse: NewPulse, atMs: number): void;
  end(subject: Pick<Addressee, "kind" | "id">): void;
  all(): Promise<Pulse[]>;
  /** Changes with every row that anyone writes, and for a moment after. Cheap enough to read a few times a second. */
  revision(): Promise<string>;
}

/**
 * What is still true of a loop's pulse after its last entry: a driver writes an entry when something ends, and the row
 * only up to a second later.
 */
export const pulseAfter = (pulse: LoopPulse, atMs: number, lastEntryMs: number): LoopPulse =>
  atMs >= lastEntryMs ? pulse : { ...pulse, turnBeganMs: null, doing: null, heardMs: null, costUsd: 0, tokens: 0 };
