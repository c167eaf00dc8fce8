import type { AgentSpec } from "../../core/agent-spec.ts";
import { claimPolicy, presets } from "../../core/claim/policy.ts";
import { effectsOf, isStrict, limitsOf, sharedParts, titleOf } from "../../core/loop/from-settings.ts";
import { DEFAULT_LIMITS, type Limits, type LoopSpec, OF_ITS_OWN, type SessionStart } from "../../core/loop/spec.ts";
import type { Proof } from "../../core/proof/proof.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { DEFAULT_COMPLETION_PROMISE, DEFAULT_MAX_ITERATIONS } from "./library/constants.ts";

/** In a host's session people see by themselves whether it gets anywhere: that stops a loop only where they say so. */
const HOOK_LIMITS: Limits = { ...DEFAULT_LIMITS, maxIterations: DEFAULT_MAX_ITERATIONS, stuckAfter: null };

interface HookRequest {
  settings: Settings;
  cwd: string;
  /** Whether the folder is in a git repository. */
  tracked: boolean;
  prompt: string;
  description?: string;
  /** The agents that can continue the loop without its host; empty: none. */
  agents: readonly AgentSpec[];
  /** `fresh`: every turn in a session of its own. */
  context: LoopSpec["context"];
  session: SessionStart | null;
  proof: Proof;
}

/** The hook door: a prompt, and what settings and flags say, become a loop in a host's session. */
export function hookSpec(request: HookRequest): LoopSpec {
  const { settings, cwd, tracked, prompt, description, agents, context, session, proof } = request;
  const promise = settings.completion?.promise ?? settings.completionResponse ?? DEFAULT_COMPLETION_PROMISE;
  return {
    door: "hook",
    title: description ?? titleOf(prompt),
    ...OF_ITS_OWN,
    cwd,
    tracked,
    prompt: { text: prompt },
    agents,
    session,
    claim: claimPolicy(presets.hook(promise, settings.completion), settings, proof),
    completionInstructions: settings.completionInstructions ?? true,
    ...sharedParts(settings),
    context,
    proof,
    effects: effectsOf(settings.scm),
    strict: isStrict(settings),
    commitMessage: settings.scm?.message ?? "agent",
    limits: limitsOf(settings, HOOK_LIMITS),
  };
}
