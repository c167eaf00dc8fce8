import type { AgentSpec } from "../../src/core/agent-spec.ts";
import { presets } from "../../src/core/claim/policy.ts";
import {
  DEFAULT_LIMITS,
  DEFAULT_TURN_TIMEOUTS,
  type Effect,
  type Guardrail,
  type LoopSpec,
  OF_ITS_OWN,
} from "../../src/core/loop/spec.ts";
import { commandStage } from "../../src/core/proof/methods/external.ts";
import { NO_PROOF, type Proof } from "../../src/core/proof/proof.ts";

/** A loop with only the values that a test names. */
export const someSpec = (spec: Partial<LoopSpec> = {}): LoopSpec => ({
  door: "harness",
  title: "a task",
  ...OF_ITS_OWN,
  cwd: "/repo",
  tracked: false,
  prompt: { text: "Do it." },
  agents: [someAgent("agent")],
  context: "fresh",
  claim: presets.harness("DONE"),
  completionInstructions: true,
  guardrails: [],
  proof: NO_PROOF,
  effects: [],
  commitMessage: "title",
  notify: [],
  limits: DEFAULT_LIMITS,
  patience: DEFAULT_TURN_TIMEOUTS,
  outputTruncateChars: 500,
  feedbackMaxChars: 10_000,
  ...spec,
});

export const someAgent = (command: string, agent: Partial<AgentSpec> = {}): AgentSpec => ({
  command,
  flags: [],
  output: "stream",
  promptBy: null,
  price: null,
  ...agent,
});

export const someGuardrail = (guardrail: Partial<Guardrail> = {}): Guardrail => ({
  name: "lint",
  command: "npm run lint",
  timeoutMs: 1_000,
  failAction: "APPEND",
  hint: null,
  parallel: false,
  ...guardrail,
});

export const gitEffect = (kind: Effect["kind"], when: Effect["when"]): Effect => ({
  kind,
  when,
  program: "git",
  args: [kind],
});

/** A proof by commands that must exit 0, and other values that a test names. */
export const provedBy = (commands: readonly string[], proof: Partial<Proof> = {}): Proof => ({
  ...NO_PROOF,
  stages: commands.map((command) => commandStage(command)),
  ...proof,
});
