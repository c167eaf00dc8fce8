import { type ClaimPolicy, presets } from "../../../core/claim/policy.ts";
import { cut, shorten } from "../../../core/excerpt.ts";
import { limitsOf, sharedParts } from "../../../core/loop/from-settings.ts";
import {
  type AgentSpec,
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
import { backingLeaves, isBacked, leafWords } from "../../../core/proof/methods.ts";
import { NO_PROOF, type Proof, type Rule, type Stage, uniquelyNamed } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { quoted } from "../../../core/shell.ts";
import type { AgentRole, LoopRole } from "../../../core/task/role.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { Spec, Task } from "../../../core/task/task.ts";
import { ralphOf, stageProof, stagesOf, taskChecks, watchedOf } from "./proof.ts";
import { type ConflictDetails, conflictText, stageText } from "./stage-prompts.ts";

/** What every loop of a task is made of. */
interface TaskRequest {
  task: Task;
  /** The document that the task belongs to; null: it is not there. */
  spec: Pick<Spec, "content"> | null;
  settings: Settings;
  /** In order of preference. */
  agents: readonly AgentSpec[];
  /** The stages that the task goes through; those of the settings when left out. */
  stages?: readonly AgentRole[];
  /** The task's worktree. */
  cwd: string;
  /** The copy that its agent looks at; `cwd` is in it then. */
  copy?: CopyOfWork;
  /** Where its work begins: the commit that its branch began at, or that of the target that was last merged into it. */
  base: string;
  execution: string;
  /** The commands of the tasks that it builds on: what they run is protected, and they have to pass before a merge. */
  needed?: readonly CommandLeaf[];
  /** Over those that settings and criteria say. */
  limits?: Partial<Limits>;
}

export interface StageRequest extends TaskRequest {
  place: AgentRole;
  /** What the coder has to mend, and who found it. */
  findings: TaskState["findings"];
  /** Why the attempt before failed. */
  failure?: TaskState["failure"];
  /** What its checks said when the task's branch began; null: nobody has asked yet. */
  was?: TaskPart["was"] | null;
  /** Whether the stage was worked on before: then its checks may pass already, and that is no fault of theirs. */
  again?: boolean;
}

export interface ConflictRequest extends TaskRequest, ConflictDetails {}

/** A loop, and what a person should know about it. */
export interface StageLoop {
  spec: LoopSpec;
  warnings: readonly string[];
}

const TITLE_CHARS = 100;
const METHOD_CHARS = 1_000;

/** The loop of one stage of a task. */
export function stageSpec(request: StageRequest): StageLoop {
  const { task, place, settings, findings, base } = request;
  const { criteria, warnings, ...proven } = stageProof(task, place, settings);
  const proof = request.again || findings ? withoutRedFirst(proven.proof) : proven.proof;
  const ralph = ralphOf(settings);
  const enabled = (ralph.enabled ?? true) && (ralph[place]?.enabled ?? true);
  const spec = taskLoop(request, {
    place,
    text: stageText(request),
    claim: presets.pipeline(criteria.promise, { strict: criteria.strict ?? false }),
    proof,
    description: criteria.description,
    maxIterations: enabled ? criteria.max_iterations : 1,
  });
  // Whoever was sent back has to do something about it; otherwise what was done for the task before counts.
  const since = findings ? {} : { since: base };
  const part = spec.part && { ...spec.part, ...since, ...(request.was ? { was: request.was } : {}) };
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

/** The loop that mends the conflicts of a task's merge: no markers are left, and all its checks pass. */
export function conflictSpec(request: ConflictRequest): StageLoop {
  const { task, settings, files } = request;
  const checks = [...taskChecks(task, settings, request.stages), ...(request.needed ?? [])];
  const proof: Proof = {
    ...NO_PROOF,
    outcome: task.completionSpec?.outcome ?? "",
    stages: uniquelyNamed([...markerStages(files), bothSides(request), ...checks]),
    // With conflicts in the files everything may fail, and nothing is to be learnt from it.
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
    ...(request.copy ? { copy: request.copy } : {}),
    watched: [...watchedOf(task, settings, stages), ...(request.needed?.length ? [neededPart(request.needed)] : [])],
  };
  return {
    door: "pipeline",
    title: shorten(`${task.id} ${place}: ${task.title}`, TITLE_CHARS),
    ...OF_ITS_OWN,
    part,
    cwd,
    tracked: true,
    prompt: { text },
    agents,
    claim: {
      ...claim,
      contradictions: settings.contradictions ?? true,
      // The weaker the proof, the stricter the claim.
      scope: isBacked(proof) ? "iteration" : "last-message",
    },
    completionInstructions: true,
    ...sharedParts(settings),
    proof,
    // What is changed in a copy is nobody's work.
    effects: request.copy ? [] : [COMMIT],
    commitMessage: settings.scm?.message ?? "title",
    limits: { ...limitsOf(settings, DEFAULT_LIMITS), maxIterations, ...limits },
  };
}

/** Nobody breaks what others have done by changing how that is checked. */
const neededPart = (stages: readonly Stage[]): Watched => ({ place: "coder", stages, cleanRoom: null, protect: [] });

/** How a claim is verified, for the agent. */
function methodWords({ stages, rules }: Proof): string {
  const words = [...backingLeaves(stages).map(leafWords), ...rules.flatMap((rule) => RULE_WORDS[rule] ?? [])];
  return words.length === 0 ? "string_match: the promise alone" : cut(words.join("\n"), METHOD_CHARS);
}

const RULE_WORDS: Readonly<Partial<Record<Rule, string>>> = {
  "new-commit": "a commit with your work",
  approval: "your approval, in the form above",
};

/** Whoever resets the branch has no conflicts, and no merge: it would be made again, for ever. */
const bothSides = ({ ours, theirs }: ConflictDetails): Stage => ({
  ...commandStage(
    `git merge-base --is-ancestor ${quoted(ours)} HEAD && git merge-base --is-ancestor ${quoted(theirs)} HEAD`,
  ),
  name: "both sides' commits are there",
});

const FILES_A_CHECK = 200;
/** A line of equal signs alone may be a heading. */
const MARKERS = "^(<{7}|>{7}|[|]{7})( |$)";

/**
 * Checks that no conflict is left in the files. One that was deleted holds none: what grep says of it must not hide
 * what it found in others, so that what counts is what it prints.
 */
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
