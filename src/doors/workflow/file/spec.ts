import type { AgentSpec } from "../../../core/agent-spec.ts";
import { claimPolicy, NO_CLAIM, presets } from "../../../core/claim/policy.ts";
import { shorten } from "../../../core/excerpt.ts";
import { guardrailsOf, isStrict, limitsOf, sharedParts } from "../../../core/loop/from-settings.ts";
import {
  DEFAULT_LIMITS,
  type Ending,
  type Limits,
  type LoopSpec,
  type SessionStart,
  type TurnTimeouts,
} from "../../../core/loop/spec.ts";
import { NO_PROOF, type Proof } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import type { LoopPart, StepPart, Workflow } from "../../../core/workflow/workflow.ts";

interface PartRequest {
  run: string;
  workflow: Pick<Workflow, "name">;
  settings: Settings;
  cwd: string;
  tracked: boolean;
  agents: readonly AgentSpec[];
  sessions: boolean;
  /** The variables of the prompt, except those of the turn. */
  values: Readonly<Record<string, string>>;
}

const TITLE_CHARS = 80;

/** The agent's first failure stops the loop. A loop without progress runs to its limits, unless the settings differ. */
const LIMITS: Limits = { ...DEFAULT_LIMITS, maxFailures: 1, stuckAfter: null };

/** One turn, or more if a guardrail fails. `session`: that of the steps before, if this agent can continue it. */
export function stepSpec(request: PartRequest & { part: StepPart; session: SessionStart | null }): LoopSpec {
  const { part, session, settings } = request;
  return {
    ...shared(request),
    ...sharedParts(settings),
    context: request.sessions ? "continue" : "fresh",
    session: part.fresh || !request.sessions ? null : session,
    ends: "turn",
    claim: NO_CLAIM,
    completionInstructions: false,
    proof: { ...NO_PROOF, zeroWorkGuard: false },
    limits: limitsOf(settings, LIMITS),
    patience: patienceOf(settings, part, null),
  };
}

/** A loop of a workflow. The signal asks for verification; `until_bash` is run after every iteration instead. */
export function loopSpec(request: PartRequest & { part: LoopPart; proof: Proof }): LoopSpec {
  const { part, settings, proof } = request;
  const { guardrails } = sharedParts(settings);
  return {
    ...shared(request),
    ...sharedParts(settings),
    context: part.freshContext || !request.sessions ? "fresh" : "continue",
    session: null,
    ...endOf(part, settings, proof),
    guardrails: [...guardrails, ...guardrailsOf({ ...settings, guardrails: part.guardrails })],
    proof,
    limits: {
      ...limitsOf(settings, LIMITS),
      maxIterations: part.maxIterations,
      ...(part.maxCostUsd === null ? {} : { maxCostUsd: part.maxCostUsd }),
    },
    patience: patienceOf(settings, part, part.iterationTimeoutS),
  };
}

type EndParts = Pick<LoopSpec, "claim" | "completionInstructions"> & { ends: Ending };

function endOf({ until, untilBash }: LoopPart, settings: Settings, proof: Proof): EndParts {
  const ends = untilBash === null ? "claim" : "checks";
  if (until === null) return { ends, claim: NO_CLAIM, completionInstructions: false };
  const claim = claimPolicy(presets.workflow(until), settings, proof);
  return { ends, claim, completionInstructions: settings.completionInstructions ?? true };
}

function shared({
  run,
  workflow,
  part,
  settings,
  cwd,
  tracked,
  agents,
  values,
}: PartRequest & { part: StepPart | LoopPart }) {
  const message = values.USER_MESSAGE ?? "";
  return {
    door: "workflow" as const,
    title: shorten(`${workflow.name} ${part.name}${message === "" ? "" : `: ${message}`}`, TITLE_CHARS),
    part: null,
    run: { run, workflow: workflow.name, part: part.name },
    cwd,
    tracked,
    prompt: { template: part.prompt.text, values },
    agents,
    strict: isStrict(settings),
    effects: [],
    commitMessage: "agent" as const,
  };
}

function patienceOf(
  settings: Settings,
  { idleTimeoutS }: StepPart | LoopPart,
  iterationS: number | null,
): TurnTimeouts {
  const { patience } = sharedParts(settings);
  return {
    ...patience,
    ...(idleTimeoutS === null ? {} : { idleTimeoutMs: idleTimeoutS * 1_000 }),
    ...(iterationS === null ? {} : { iterationTimeoutMs: iterationS * 1_000 }),
  };
}
