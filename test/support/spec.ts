import { presets } from "../../src/core/claim/policy.ts";
import {
  type AgentSpec,
  DEFAULT_LIMITS,
  DEFAULT_PATIENCE,
  type Effect,
  type Guardrail,
  type LoopSpec,
} from "../../src/core/loop/spec.ts";

/** A loop with nothing in it but what a test names. */
export const someSpec = (spec: Partial<LoopSpec> = {}): LoopSpec => ({
  door: "harness",
  title: "a task",
  cwd: "/repo",
  tracked: false,
  prompt: { text: "Do it." },
  agents: [someAgent("agent")],
  context: "fresh",
  claim: presets.harness("DONE"),
  completionInstructions: true,
  guardrails: [],
  checks: [],
  effects: [],
  commitMessage: "title",
  notify: [],
  limits: DEFAULT_LIMITS,
  patience: DEFAULT_PATIENCE,
  outputTruncateChars: 500,
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
