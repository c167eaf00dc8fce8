import type { Completion } from "../schema/criteria.ts";
import type { Settings } from "../schema/settings.ts";

/** A prompt: inline, or the text of a command file, read together with the workflow. */
export interface PromptSource {
  text: string;
  /** The name of the command file; null: inline. */
  command: string | null;
}

/** Which tools an agent may use. */
export interface ToolRules {
  /** Null: all of its tools. An empty list: none. */
  allowed: readonly string[] | null;
  denied: readonly string[];
}

/** Further attempts after the agent has failed; environment troubles do not count. */
export interface Retry {
  attempts: number;
  delayMs: number;
}

/** The agent of a part and its options. Null: as in the workflow, or else in the settings. */
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
  /** Starts a new session instead of continuing that of the previous steps. */
  fresh: boolean;
  retry: Retry;
}

/** A shell command. */
export interface BashPart {
  kind: "bash";
  name: string;
  command: string;
  timeoutS: number | null;
  retry: Retry;
}

/** A loop: runs an agent until its work is done. */
export interface LoopPart extends AgentPart {
  kind: "loop";
  name: string;
  prompt: PromptSource;
  /** The completion signal; null: only the command below decides. */
  until: string | null;
  /** A command that must exit 0 after an iteration; it needs no signal. */
  untilBash: string | null;
  maxIterations: number;
  freshContext: boolean;
  /** The proof that the signal needs to count; null: as in the settings. */
  verify: readonly string[] | Completion | null;
  guardrails: NonNullable<Settings["guardrails"]>;
  iterationTimeoutS: number | null;
  maxCostUsd: number | null;
}

/** Steps that run concurrently, each in its own session. */
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
  /** The notation of the file. */
  form: "steps" | "loop" | "nodes";
  /** In order; never empty. */
  parts: readonly Part[];
  /** The file it was read from, relative to the repository. */
  file: string;
}

/** The lanes of a part: the steps of a parallel part, else the part itself. */
export const lanesOf = (part: Part): readonly Exclude<Part, ParallelPart>[] =>
  part.kind === "parallel" ? part.steps : [part];
