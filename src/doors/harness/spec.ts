import { agentSpec } from "../../core/agent-spec.ts";
import { claimPolicy, presets } from "../../core/claim/policy.ts";
import { ownParts, promiseOf, titleOf } from "../../core/loop/from-settings.ts";
import { DEFAULT_LIMITS, type LoopSpec, OF_ITS_OWN } from "../../core/loop/spec.ts";
import type { Proof } from "../../core/proof/proof.ts";
import type { AgentSettings } from "../../core/schema/agent.ts";
import type { Settings } from "../../core/schema/settings.ts";

interface HarnessRequest {
  settings: Settings;
  cwd: string;
  prompt: LoopSpec["prompt"];
  /** The current text of the prompt, for the title. */
  promptText: string;
  tracked: boolean;
  agents: readonly AgentSettings[];
  proof: Proof;
}

/** The harness door: settings and a prompt become a loop. */
export function harnessSpec({ settings, cwd, tracked, prompt, promptText, agents, proof }: HarnessRequest): LoopSpec {
  const promise = promiseOf(settings, "DONE");
  return {
    door: "harness",
    title: titleOf(promptText),
    ...OF_ITS_OWN,
    cwd,
    tracked,
    prompt,
    agents: agents.map(agentSpec),
    claim: claimPolicy(presets.harness(promise, settings.completion), settings, proof),
    ...ownParts(settings, DEFAULT_LIMITS),
    proof,
  };
}
