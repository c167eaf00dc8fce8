import type { AgentSpec } from "../agent-spec.ts";

/** Who judges what no command can: an agent in a call of its own, or a model behind an HTTP interface. */
export type JudgeSpec =
  /** `agent` null: the loop's own. `model` null: its cheap one, where we know of one. */
  | { by: "agent"; agent: AgentSpec | null; model: string | null }
  /** The key is read from the environment variable of that name when it is needed, and is kept nowhere. */
  | { by: "http"; dialect: "anthropic" | "openai"; baseUrl: string | null; model: string; keyVariable: string };

/** A command that the harness runs itself, and what it has to show. */
export interface External {
  command: string;
  successExitCode: number;
  /** Each of them has to occur in its output, standard error included. */
  outputContains: readonly string[];
  outputNotContains: readonly string[];
  timeoutMs: number;
  /** Seen from the loop's folder, and inside it. */
  workingDir: string;
  env: Readonly<Record<string, string>>;
}

/** Criteria that a judge decides from evidence. */
export interface Semantic {
  checkFor: readonly string[];
  /** Texts that reject a claim without a judge. */
  negativePatterns: readonly string[];
  judge: JudgeSpec;
  /** What to make of a judge that cannot be reached. */
  onError: "string_match" | "unknown";
  timeoutMs: number;
}

interface PluginCall {
  plugin: string;
  config: Readonly<Record<string, unknown>>;
  timeoutMs: number;
}

type Method =
  | { method: "string_match" }
  | ({ method: "external" } & External)
  | ({ method: "semantic" } & Semantic)
  | ({ method: "plugin" } & PluginCall)
  /** `requireAll`: what follows a required stage that does not pass is not run. */
  | { method: "multi_stage"; stages: readonly Stage[]; requireAll: boolean };

/** One condition of a proof. */
export type Stage = Method & {
  /** Its path through the stages, such as `qa/unit_tests`; no other stage of the proof has it. */
  name: string;
  /** False: it only warns. */
  required: boolean;
  /** Run together with adjacent parallel stages. */
  parallel: boolean;
  /** Its result may be taken over within an iteration where nothing changed. */
  cache: boolean;
  /** It has to fail before any work is done. */
  requireRedFirst: boolean;
  /** The acceptance criterion that it proves. */
  criterion: string | null;
};

/** A stage that is no group of others. */
export type Leaf = Exclude<Stage, { method: "multi_stage" }>;
export type MethodName = Leaf["method"];
export type LeafOf<M extends MethodName> = Extract<Leaf, { method: M }>;

/** How criteria and receipts write the method of a plugin: `plugin:<name>`. */
export const PLUGIN_PREFIX = "plugin:";

/** The fields of a stage that nothing else is configured for. */
export const PLAIN_STAGE = {
  required: true,
  parallel: false,
  cache: true,
  requireRedFirst: false,
  criterion: null,
} as const;

export interface CleanRoom {
  /** Makes a fresh checkout ready, such as `npm ci`; null: the one that fits its lockfile. */
  setup: string | null;
  /** Folders that the set-up makes, kept for the next time under the lockfile's hash. */
  cached: readonly string[];
  timeoutMs: number;
}

/** Seconds that a set-up may take, where nothing else is configured. */
export const DEFAULT_SETUP_TIMEOUT_S = 600;

interface GivenSetUp {
  setup?: string;
  cached?: readonly string[];
  timeout?: number;
}

/** A set-up with everything decided that was left open. */
export const setUpFrom = ({ setup, cached, timeout = DEFAULT_SETUP_TIMEOUT_S }: GivenSetUp): CleanRoom => ({
  setup: setup ?? null,
  cached: cached ?? [],
  timeoutMs: timeout * 1_000,
});

/** Rules about a claim that the harness knows how to check by itself. */
export type Rule =
  /** What is committed since the loop, or the task, began has work of the agent's in it. */
  | "new-commit"
  /** A command that the harness ran has passed. */
  | "command-passed"
  /** The agent approved the work, in the form that was asked for. */
  | "approval";

/** What a claim needs to count, decided when the loop is made. */
export interface Proof {
  /** What done means, in one sentence; empty where nothing is configured. */
  outcome: string;
  /** The acceptance criteria, with or without a check of their own. */
  acceptance: readonly string[];
  /** All of them run, in this order; each required one has to pass. */
  stages: readonly Stage[];
  rules: readonly Rule[];
  /** Run the checks once before any work, to know what the work has changed. */
  baseline: boolean;
  /** Refuse to begin where every check passes already. */
  requireRedFirst: boolean;
  /** What a check's own command names may be absent: the work is to make it, and until then the check fails. */
  missingOk: boolean;
  /** A claim of an agent that has used no tool and changed nothing is refused, and then ends the loop. */
  zeroWorkGuard: boolean;
  /** A fresh token in the promise of every iteration. */
  nonce: boolean;
  cleanRoom: CleanRoom | null;
  maxParallel: number;
  /** Globs: files that are there when the loop begins must not change. */
  protect: readonly string[];
  /** Whether existing tests may be deleted, skipped and weakened. */
  testsMayChange: boolean;
}

export const NO_PROOF: Proof = {
  outcome: "",
  acceptance: [],
  stages: [],
  rules: [],
  baseline: true,
  requireRedFirst: false,
  missingOk: false,
  zeroWorkGuard: true,
  nonce: false,
  cleanRoom: null,
  maxParallel: 4,
  protect: [],
  testsMayChange: false,
};

/** The stages that do something, in their order, in any group. Where a group only warns, so do they. */
export const leavesOf = (stages: readonly Stage[]): Leaf[] =>
  stages.flatMap((stage) => {
    if (stage.method !== "multi_stage") return [stage];
    const inner = leavesOf(stage.stages);
    return stage.required ? inner : inner.map((leaf) => ({ ...leaf, required: false }));
  });

/**
 * Whether a stage passes, from the answers of the stages in it by their names; a group, where each that it needs does.
 */
export const passesBy = (stage: Stage, answers: ReadonlyMap<string, string>): boolean =>
  stage.method === "multi_stage"
    ? stage.stages.every((inner) => !inner.required || passesBy(inner, answers))
    : answers.get(stage.name) === "pass";

/** The stages with a name each that no other has: results are matched to stages by it. */
export function uniquelyNamed(stages: readonly Stage[]): Stage[] {
  const taken = new Map<string, number>();
  const name = (stage: Stage): Stage => {
    if (stage.method === "multi_stage") return { ...stage, stages: stage.stages.map(name) };
    const times = (taken.get(stage.name) ?? 0) + 1;
    taken.set(stage.name, times);
    return times === 1 ? stage : name({ ...stage, name: `${stage.name} (${times})` });
  };
  return stages.map(name);
}
