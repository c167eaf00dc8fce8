import type { AgentSpec } from "../../../core/agent-spec.ts";
import { type ClaimPolicy, claimPolicy, presets } from "../../../core/claim/policy.ts";
import { cut, shorten } from "../../../core/excerpt.ts";
import { isStrict, limitsOf, sharedParts } from "../../../core/loop/from-settings.ts";
import {
  type CopyOfWork,
  DEFAULT_LIMITS,
  type Effect,
  type Limits,
  type LoopSpec,
  OF_ITS_OWN,
  type TaskPart,
  type Watched,
} from "../../../core/loop/spec.ts";
import { type CommandLeaf, commandStage } from "../../../core/proof/methods/external.ts";
import { backingLeaves, leafWords } from "../../../core/proof/methods.ts";
import { NO_PROOF, type Proof, type Rule, type Stage, uniquelyNamed } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { quoted } from "../../../core/shell.ts";
import type { AgentRole, LoopRole } from "../../../core/task/role.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { Spec, Task } from "../../../core/task/task.ts";
import { ralphOf, stageProof, stagesOf, taskChecks, watchedOf } from "./proof.ts";
import { type ConflictDetails, conflictText, stageText } from "./stage-prompts.ts";

interface TaskRequest {
  task: Task;
  /** The spec that the task belongs to; null if it does not exist. */
  spec: Pick<Spec, "content"> | null;
  settings: Settings;
  agents: readonly AgentSpec[];
  /** The stages of the task; by default those of the settings. */
  stages?: readonly AgentRole[];
  cwd: string;
  /** The copy that its agent works on; `cwd` is in it then. */
  copy?: CopyOfWork;
  /** Where its work starts: the first commit of its branch, or the target's commit that was last merged into it. */
  base: string;
  /** The commit of its branch that was last verified. */
  proven?: string | null;
  execution: string;
  /** The commands of its dependencies: their files are protected, and they must pass before a merge. */
  needed?: readonly CommandLeaf[];
  /** Override those of settings and criteria. */
  limits?: Partial<Limits>;
}

export interface StageRequest extends TaskRequest {
  place: AgentRole;
  /** What the coder has to fix, and who found it. */
  findings: TaskState["findings"];
  failure?: TaskState["failure"];
  /** The results and tests of its checks from when the task's branch started; null if they have not run yet. */
  atStart?: Pick<TaskPart, "was" | "counted"> | null;
  /** Whether the stage was worked on before: then its checks may already pass. */
  again?: boolean;
}

export interface ConflictRequest extends TaskRequest, ConflictDetails {}

export interface StageLoop {
  spec: LoopSpec;
  warnings: readonly string[];
}

const TITLE_CHARS = 100;
const METHOD_CHARS = 1_000;

export function stageSpec(request: StageRequest): StageLoop {
  const { task, place, settings, findings, base } = request;
  const { criteria, warnings, ...proven } = stageProof(task, place, settings);
  const proof = request.again || findings ? withoutRedFirst(proven.proof) : proven.proof;
  const ralph = ralphOf(settings);
  const enabled = (ralph.enabled ?? true) && (ralph[place]?.enabled ?? true);
  const spec = taskLoop(request, {
    place,
    text: stageText(request),
    claim: presets.pipeline(criteria.promise, criteria),
    proof,
    description: criteria.description,
    maxIterations: enabled ? criteria.max_iterations : 1,
  });
  // A coder with findings has to change something; otherwise earlier work for the task counts.
  const since = findings ? {} : { since: base };
  const { was, counted } = request.atStart ?? {};
  const before = { ...(was ? { was } : {}), ...(counted ? { counted } : {}) };
  const part = spec.part && { ...spec.part, ...since, ...before };
  return { spec: { ...spec, part }, warnings };
}

const withoutRedFirst = (proof: Proof): Proof => ({
  ...proof,
  requireRedFirst: false,
  stages: proof.stages.map(greenToo),
});

const greenToo = (stage: Stage): Stage =>
  stage.method === "multi_stage"
    ? { ...stage, requireRedFirst: false, stages: stage.stages.map(greenToo) }
    : { ...stage, requireRedFirst: false };

const CONFLICT_ITERATIONS = 5;
const CONFLICT_PROMISE = "CONFLICTS_RESOLVED";

/** The loop that resolves the conflicts of a task's merge: no markers are left, and all its checks pass. */
export function conflictSpec(request: ConflictRequest): StageLoop {
  const { task, settings, files } = request;
  const checks = [...taskChecks(task, settings, request.stages), ...(request.needed ?? [])];
  const proof: Proof = {
    ...NO_PROOF,
    outcome: task.completionSpec?.outcome ?? "",
    stages: uniquelyNamed([...markerStages(files), bothSides(request), ...checks]),
    // With conflict markers in the files, a baseline would be meaningless.
    baseline: false,
    zeroWorkGuard: false,
  };
  const spec = taskLoop(request, {
    place: "conflict",
    text: conflictText({ ...request, place: "conflict", findings: null }, request),
    claim: presets.pipeline(CONFLICT_PROMISE),
    proof,
    description: "No conflict markers are left, both sides' work is kept, and every check of the task passes.",
    maxIterations: ralphOf(settings).conflict?.max_iterations ?? CONFLICT_ITERATIONS,
  });
  return { spec, warnings: [] };
}

interface LoopParts {
  place: LoopRole;
  text: string;
  claim: ClaimPolicy;
  proof: Proof;
  description: string;
  maxIterations: number;
}

const COMMIT: Effect = { kind: "commit", when: "guarded", program: "git", args: ["commit"] };

function taskLoop(
  request: TaskRequest,
  { place, text, claim, proof, description, maxIterations }: LoopParts,
): LoopSpec {
  const { task, settings, agents, cwd, execution, base, limits } = request;
  const stages = request.stages ?? stagesOf(settings);
  const part: TaskPart = {
    task: task.id,
    place,
    execution,
    description,
    method: methodWords(proof),
    base,
    ...(request.proven ? { proven: request.proven } : {}),
    ...(request.copy ? { copy: request.copy } : {}),
    watched: [...watchedOf(task, settings, stages), ...(request.needed?.length ? [neededPart(request.needed)] : [])],
  };
  return {
    door: "pipeline",
    title: shorten(`${task.id} ${place}: ${task.title}`, TITLE_CHARS),
    ...OF_ITS_OWN,
    strict: isStrict(settings),
    part,
    cwd,
    tracked: true,
    prompt: { text },
    agents,
    claim: claimPolicy(claim, settings, proof),
    completionInstructions: true,
    ...sharedParts(settings),
    proof,
    // Changes in a copy are not work.
    effects: request.copy ? [] : [COMMIT],
    commitMessage: settings.scm?.message ?? "title",
    limits: { ...limitsOf(settings, DEFAULT_LIMITS), maxIterations, ...limits },
  };
}

/** Protects the checks of dependencies against changes. */
const neededPart = (stages: readonly Stage[]): Watched => ({ place: "coder", stages, cleanRoom: null, protect: [] });

function methodWords({ stages, rules }: Proof): string {
  const words = [...backingLeaves(stages).map(leafWords), ...rules.flatMap((rule) => RULE_WORDS[rule] ?? [])];
  return words.length === 0 ? "string_match: the promise alone" : cut(words.join("\n"), METHOD_CHARS);
}

const RULE_WORDS: Readonly<Partial<Record<Rule, string>>> = {
  "new-commit": "a commit with your work",
  approval: "your approval, in the form above",
};

/** Resetting the branch would remove the conflicts and the merge, which would then be repeated forever. */
const bothSides = ({ ours, theirs }: ConflictDetails): Stage => ({
  ...commandStage(
    `git merge-base --is-ancestor ${quoted(ours)} HEAD && git merge-base --is-ancestor ${quoted(theirs)} HEAD`,
  ),
  name: "both sides' commits are there",
});

const FILES_A_CHECK = 200;
/** Without `=======`, which may be a heading. */
const MARKERS = "^(<{7}|>{7}|[|]{7})( |$)";

/** Goes by grep's output instead of its exit code, because a deleted file is an error for grep. */
function markerStages(files: readonly string[]): Stage[] {
  const parts = Array.from({ length: Math.ceil(files.length / FILES_A_CHECK) }, (_, i) =>
    files.slice(i * FILES_A_CHECK, (i + 1) * FILES_A_CHECK),
  );
  return parts.map((part) => ({
    ...commandStage(
      `top=$(git rev-parse --show-toplevel) && cd "$top" && ! grep -snE ${quoted(MARKERS)} -- ${part.map(quoted).join(" ")} | grep .`,
    ),
    name: "no conflict markers",
  }));
}
