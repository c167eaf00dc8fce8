import type { AgentSpec } from "../agent-spec.ts";

/** Who judges criteria that no command can check: an agent in a separate call, or a model with an HTTP API. */
export type JudgeSpec =
  /** `agent` null: the loop's own. `model` null: its cheap one, if known. */
  | { by: "agent"; agent: AgentSpec | null; model: string | null }
  /** The key is read from the environment variable of that name when needed, and is never stored. */
  | { by: "http"; dialect: "anthropic" | "openai"; baseUrl: string | null; model: string; keyVariable: string };

/** A command that Ralph runs itself, and its expected result. */
export interface External {
  command: string;
  successExitCode: number;
  /** Each must occur in its output, including standard error. */
  outputContains: readonly string[];
  outputNotContains: readonly string[];
  timeoutMs: number;
  /** Relative to the loop's folder, and inside it. */
  workingDir: string;
  env: Readonly<Record<string, string>>;
}

/** Criteria that a judge decides from evidence. */
export interface Semantic {
  checkFor: readonly string[];
  /** Texts that reject a claim without a judge. */
  negativePatterns: readonly string[];
  judge: JudgeSpec;
  /** What to do if the judge cannot be reached. */
  onError: "string_match" | "unknown";
  timeoutMs: number;
}

interface PluginCall {
  plugin: string;
  config: Readonly<Record<string, unknown>>;
  timeoutMs: number;
}

/** A command over files that the agent does not see. */
interface Sealed {
  /** A file or folder outside the checkout, relative to the loop's folder. */
  from: string;
  /** Where it is placed in the oracle room, relative to the loop's folder. */
  to: string;
  command: string;
  timeoutMs: number;
  /** Whether the agent may see its command. */
  showNames: boolean;
  /** Its number among the sealed checks, from 1, and how many there are. */
  place: number;
  of: number;
}

type Method =
  | { method: "string_match" }
  | ({ method: "external" } & External)
  | ({ method: "semantic" } & Semantic)
  | ({ method: "plugin" } & PluginCall)
  | ({ method: "sealed" } & Sealed)
  /** `requireAll`: stages after a required stage that does not pass are not run. */
  | { method: "multi_stage"; stages: readonly Stage[]; requireAll: boolean };

/** One condition of a proof. */
export type Stage = Method & {
  /** Its path through the stages, such as `qa/unit_tests`; unique in the proof. */
  name: string;
  /** False: it only warns. */
  required: boolean;
  /** Run together with adjacent parallel stages. */
  parallel: boolean;
  /** Its result may be reused within an iteration if nothing changed. */
  cache: boolean;
  /** It must fail before any work. */
  requireRedFirst: boolean;
  /** The acceptance criterion it proves. */
  criterion: string | null;
};

/** A stage that is not a group. */
export type Leaf = Exclude<Stage, { method: "multi_stage" }>;
export type MethodName = Leaf["method"];
export type LeafOf<M extends MethodName> = Extract<Leaf, { method: M }>;

/** The method of a plugin in criteria and receipts: `plugin:<name>`. */
export const PLUGIN_PREFIX = "plugin:";

/** The default fields of a stage. */
export const PLAIN_STAGE = {
  required: true,
  parallel: false,
  cache: true,
  requireRedFirst: false,
  criterion: null,
} as const;

/** How a fresh checkout is set up. */
export interface SetUpPlan {
  /** Sets up a fresh checkout, such as `npm ci`; null: the command that fits its lockfile. */
  setup: string | null;
  /** Folders that the set-up creates, cached by the lockfile's hash. */
  cached: readonly string[];
  timeoutMs: number;
}

/** What a clean room contains: the commit, or the tree as it was at the start plus the changes within the scope. */
export const ROOM_MODES = ["commit", "oracle"] as const;

export interface CleanRoom extends SetUpPlan {
  mode: (typeof ROOM_MODES)[number];
}

/** The default timeout of a set-up, in seconds. */
export const DEFAULT_SETUP_TIMEOUT_S = 600;

interface GivenSetUp {
  setup?: string;
  cached?: readonly string[];
  timeout?: number;
}

/** A set-up with its defaults filled in. */
export const setUpFrom = ({ setup, cached, timeout = DEFAULT_SETUP_TIMEOUT_S }: GivenSetUp): SetUpPlan => ({
  setup: setup ?? null,
  cached: cached ?? [],
  timeoutMs: timeout * 1_000,
});

/** Rules about a claim that Ralph checks itself. */
export type Rule =
  /** The commits since the start of the loop, or task, contain the agent's work. */
  | "new-commit"
  /** A command that Ralph ran has passed. */
  | "command-passed"
  /** The agent approved the work, in the requested form. */
  | "approval";

/** The rules that a claim can break: those of its proof, and those of every task. */
export type BreakableRule =
  | Rule
  /** Only paths within the scope have changed. */
  | "scope"
  /** A reviewer changes nothing. */
  | "review-only"
  /** The checked files are committed. */
  | "committed"
  /** Git can determine what was done. */
  | "git-readable"
  /** With `strict`: snapshots, fixtures and helpers of tests are as they were. */
  | "expected-results"
  /** With `strict`: no finding of a tool is newly suppressed. */
  | "suppressions"
  /** With `strict`: the checks also pass with the tests as they were. */
  | "changed-tests";

/** What a claim needs to count, decided when the loop is created. */
export interface Proof {
  /** What "done" means, in one sentence; empty if not configured. */
  outcome: string;
  /** The acceptance criteria, with or without their own check. */
  acceptance: readonly string[];
  /** All of them run, in this order; each required one must pass. */
  stages: readonly Stage[];
  rules: readonly Rule[];
  /** Run the checks once before any work, to know what the work has changed. */
  baseline: boolean;
  /** Refuse to start if every check already passes. */
  requireRedFirst: boolean;
  /** Things named by a check's own command may be missing: the agent creates them, and until then the check fails. */
  missingOk: boolean;
  /** A claim by an agent that used no tool and changed nothing is refused once, and ends the loop the second time. */
  zeroWorkGuard: boolean;
  /** A fresh token in the promise of every iteration. */
  nonce: boolean;
  cleanRoom: CleanRoom | null;
  maxParallel: number;
  /** Globs: matching files that exist when the loop starts must not change. */
  protect: readonly string[];
  /** Whether existing tests may be deleted, skipped or weakened. */
  testsMayChange: boolean;
  /** The only paths that the agent may change, as patterns; empty: no limit. */
  scope: readonly string[];
  /** Run the checks once more on the new work with the tests as they were at the start. */
  differential: boolean;
  /** Whether processes that a turn leaves running, such as a server, are part of the work. */
  services: boolean;
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
  scope: [],
  differential: false,
  services: false,
};

/** All stages that are not groups, in order. If a group only warns, so do its stages. */
export const leavesOf = (stages: readonly Stage[]): Leaf[] =>
  stages.flatMap((stage) => {
    if (stage.method !== "multi_stage") return [stage];
    const inner = leavesOf(stage.stages);
    return stage.required ? inner : inner.map((leaf) => ({ ...leaf, required: false }));
  });

/** Whether a stage passes, from results by name. A group passes if every stage it requires passes. */
export const passesBy = (stage: Stage, answers: ReadonlyMap<string, string>): boolean =>
  stage.method === "multi_stage"
    ? stage.stages.every((inner) => !inner.required || passesBy(inner, answers))
    : answers.get(stage.name) === "pass";

/** The stages with unique names, by which results are matched to stages. */
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
