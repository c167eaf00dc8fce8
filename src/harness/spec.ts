import { presets } from "../core/claim/policy.ts";
import { shorten } from "../core/excerpt.ts";
import {
  type AgentSpec,
  type Check,
  DEFAULT_LIMITS,
  DEFAULT_PATIENCE,
  type Limits,
  type LoopSpec,
  type Patience,
} from "../core/loop/spec.ts";
import type { Settings } from "../core/schema/settings.ts";

const DEFAULT_CHECK_TIMEOUT_S = 300;
const DEFAULT_OUTPUT_CHARS = 5_000;
const TITLE_CHARS = 80;

interface HarnessRequest {
  settings: Settings;
  cwd: string;
  prompt: LoopSpec["prompt"];
  /** The prompt as it reads now, for the title. */
  promptText: string;
  agent: AgentSpec;
}

/** The harness door: settings and a prompt become a loop. */
export function harnessSpec({ settings, cwd, prompt, promptText, agent }: HarnessRequest): LoopSpec {
  const checks = (settings.verify ?? []).map((command) => checkOf(command, settings.checkTimeout));
  return {
    door: "harness",
    title: titleOf(promptText),
    cwd,
    prompt,
    agent: { command: agent.command, flags: agent.flags.flatMap(splitFlag) },
    context: settings.context ?? "fresh",
    claim: {
      ...presets.harness(settings.completionResponse ?? "DONE"),
      contradictions: settings.contradictions ?? true,
      // The weaker the proof, the stricter the claim.
      scope: checks.length > 0 ? "iteration" : "last-message",
    },
    completionInstructions: settings.completionInstructions ?? true,
    guardrails: (settings.guardrails ?? []).map((guardrail) => ({
      ...checkOf(guardrail.command, guardrail.timeout ?? settings.checkTimeout),
      failAction: guardrail.failAction ?? "APPEND",
    })),
    checks,
    effects: (settings.scm?.tasks ?? []).map((kind) => ({ kind, when: "guarded" })),
    limits: limitsOf(settings, DEFAULT_LIMITS),
    patience: patienceOf(settings),
    outputTruncateChars: settings.outputTruncateChars ?? DEFAULT_OUTPUT_CHARS,
  };
}

/** The limits that settings name, the others as they were. */
export function limitsOf(settings: Settings, otherwise: Limits): Limits {
  return {
    ...otherwise,
    maxIterations: settings.maximumIterations ?? otherwise.maxIterations,
    maxCostUsd: settings.maxCostUsd ?? otherwise.maxCostUsd,
    maxTokens: settings.maxTokens ?? otherwise.maxTokens,
    maxMs: settings.timeout === undefined ? otherwise.maxMs : settings.timeout * 1_000,
    maxWaitMs: settings.maxWaitMs ?? otherwise.maxWaitMs,
    stuckAfter: settings.stuckAfter === undefined ? otherwise.stuckAfter : settings.stuckAfter || null,
  };
}

function patienceOf(settings: Settings): Patience {
  const ms = (seconds: number | undefined, otherwise: number) => (seconds === undefined ? otherwise : seconds * 1_000);
  return {
    iterationTimeoutMs: ms(settings.iterationTimeout, DEFAULT_PATIENCE.iterationTimeoutMs),
    idleTimeoutMs: ms(settings.idleTimeout, DEFAULT_PATIENCE.idleTimeoutMs),
    graceMs: settings.graceMs ?? DEFAULT_PATIENCE.graceMs,
  };
}

const checkOf = (command: string, timeoutS = DEFAULT_CHECK_TIMEOUT_S): Check => ({
  name: shorten(command, TITLE_CHARS),
  command,
  timeoutMs: timeoutS * 1_000,
});

/** An entry such as `--model opus` is two arguments; a flag's value may hold spaces itself. */
function splitFlag(flag: string): string[] {
  const [, name, value] = /^(-\S+)\s+(.*)$/s.exec(flag) ?? [];
  return name !== undefined && value !== undefined ? [name, value] : [flag];
}

function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return shorten(line.replace(/^#+\s*/, ""), TITLE_CHARS);
}
