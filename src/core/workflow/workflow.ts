import type { Completion } from "../schema/criteria.ts";
import type { Settings } from "../schema/settings.ts";

/** A prompt: written in place, or in a command file, whose text was read with the workflow. */
export interface PromptSource {
  text: string;
  /** The name of the command file; null: written in place. */
  command: string | null;
}

/** Which tools an agent may use. */
export interface ToolRules {
  /** Null: all that it has. An empty list: none. */
  allowed: readonly string[] | null;
  denied: readonly string[];
}

/** Further attempts after the agent has failed; troubles of the environment use up none. */
export interface Retry {
  attempts: number;
  delayMs: number;
}

/** Who works on a part, and how. Null: as the workflow says, or else the settings. */
interface AgentPart {
  provider: string | null;
  model: string | null;
  tools: ToolRules;
  idleTimeoutS: number | null;
}

/** One turn of an agent. */
export interface StepPart extends AgentPart {
  kind: "step";
  name: string;
  prompt: PromptSource;
  /** Begins a new session instead of continuing that of the steps before. */
  fresh: boolean;
  retry: Retry;
}

/** A command of the user's own. */
export interface BashPart {
  kind: "bash";
  name: string;
  command: string;
  timeoutS: number | null;
  retry: Retry;
}

/** An agent again and again until it is done. */
export interface LoopPart extends AgentPart {
  kind: "loop";
  name: string;
  prompt: PromptSource;
  /** The completion signal; null: only the command below decides. */
  until: string | null;
  /** A command that has to exit 0 after an iteration; it needs no signal. */
  untilBash: string | null;
  maxIterations: number;
  freshContext: boolean;
  /** What the signal needs to count; null: what the settings say. */
  verify: readonly string[] | Completion | null;
  guardrails: NonNullable<Settings["guardrails"]>;
  iterationTimeoutS: number | null;
  maxCostUsd: number | null;
}

/** Steps that run together, each in a session of its own. */
export interface ParallelPart {
  kind: "parallel";
  name: string;
  steps: readonly StepPart[];
}

export type Part = StepPart | BashPart | LoopPart | ParallelPart;

/** A workflow, read and resolved: everything that a run needs, so that a resume never reads the files again. */
export interface Workflow {
  name: string;
  description: string;
  /** The quoted phrases of the description's `Triggers:`. */
  triggers: readonly string[];
  provider: string | null;
  model: string | null;
  /** How it is written. */
  form: "steps" | "loop" | "nodes";
  /** In their order; never empty. */
  parts: readonly Part[];
  /** The file it was read from, seen from the repository. */
  file: string;
}

/** What runs at the same time: the steps of a parallel part, else the part itself. */
export const lanesOf = (part: Part): readonly Exclude<Part, ParallelPart>[] =>
  part.kind === "parallel" ? part.steps : [part];
