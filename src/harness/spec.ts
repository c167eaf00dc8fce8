import { agentSpec } from "../core/agent-spec.ts";
import { presets } from "../core/claim/policy.ts";
import { shorten } from "../core/excerpt.ts";
import {
  DEFAULT_FEEDBACK_CHARS,
  DEFAULT_LIMITS,
  DEFAULT_PATIENCE,
  type Effect,
  type Hook,
  type Limits,
  type LoopSpec,
  type Patience,
} from "../core/loop/spec.ts";
import { commandName, commandStage, DEFAULT_CHECK_TIMEOUT_S, uniquelyNamed } from "../core/proof/commands.ts";
import { isBacked, NO_PROOF, type Proof } from "../core/proof/proof.ts";
import type { AgentSettings, Settings } from "../core/schema/settings.ts";

const DEFAULT_OUTPUT_CHARS = 5_000;
const TITLE_CHARS = 80;

interface HarnessRequest {
  settings: Settings;
  cwd: string;
  prompt: LoopSpec["prompt"];
  /** The prompt as it reads now, for the title. */
  promptText: string;
  /** Whether the folder is in a git repository. */
  tracked: boolean;
  agents: readonly AgentSettings[];
  proof: Proof;
}

/** The harness door: settings and a prompt become a loop. */
export function harnessSpec({ settings, cwd, tracked, prompt, promptText, agents, proof }: HarnessRequest): LoopSpec {
  return {
    door: "harness",
    title: titleOf(promptText),
    part: null,
    cwd,
    tracked,
    prompt,
    agents: agents.map(agentSpec),
    context: settings.context ?? "fresh",
    claim: {
      ...presets.harness(settings.completion?.promise ?? settings.completionResponse ?? "DONE"),
      ...(settings.completion?.strict ? { ownLine: true, ignoreCase: false } : {}),
      contradictions: settings.contradictions ?? true,
      // The weaker the proof, the stricter the claim.
      scope: isBacked(proof) ? "iteration" : "last-message",
    },
    completionInstructions: settings.completionInstructions ?? true,
    guardrails: (settings.guardrails ?? []).map((guardrail) => ({
      name: commandName(guardrail.command),
      command: guardrail.command,
      timeoutMs: (guardrail.timeout ?? settings.checkTimeout ?? DEFAULT_CHECK_TIMEOUT_S) * 1_000,
      failAction: guardrail.failAction ?? "APPEND",
      hint: guardrail.hint ?? null,
      parallel: guardrail.parallel ?? false,
    })),
    proof,
    effects: effectsOf(settings.scm),
    commitMessage: settings.scm?.message ?? "agent",
    notify: (settings.notify ?? []).map(hookOf),
    limits: limitsOf(settings, DEFAULT_LIMITS),
    patience: patienceOf(settings),
    outputTruncateChars: settings.outputTruncateChars ?? DEFAULT_OUTPUT_CHARS,
    feedbackMaxChars: settings.feedbackMaxChars ?? DEFAULT_FEEDBACK_CHARS,
  };
}

/** What has to hold for a claim to count. What reads criteria is loaded only where there are any. */
export async function harnessProof(settings: Settings): Promise<Proof> {
  const { completion, templates, verify = [], checkTimeout } = settings;
  if (!completion)
    return { ...NO_PROOF, stages: uniquelyNamed(verify.map((command) => commandStage(command, checkTimeout))) };
  const { resolveProof } = await import("../core/proof/resolve.ts");
  const { expandTemplates } = await import("../core/proof/templates.ts");
  const { fittingCompletion } = await import("../core/schema/read-criteria.ts");
  const criteria = expandTemplates(fittingCompletion(completion), templates);
  const fields = { outcome: criteria.outcome ?? "", description: criteria.description ?? "" };
  return resolveProof(criteria, { verify, checkTimeoutS: checkTimeout, fields });
}

/**
 * Version control tasks in their order. A commit comes before the verdict, so that what was verified can be found
 * again; what follows the first push waits for the verdict with it.
 */
function effectsOf(scm: Settings["scm"]): Effect[] {
  const { command = "git", tasks = [] } = scm ?? {};
  // Named by its path it is git all the same, and needs the same care.
  const program = command.split("/").at(-1) === "git" ? "git" : command;
  const published = tasks.findIndex((task) => firstWord(task) === "push");
  return tasks.map((task, i) => {
    const [kind, ...more] = task.trim().split(/\s+/);
    return {
      kind: kind === "push" ? "push" : kind === "commit" && more.length === 0 ? "commit" : "task",
      when: published !== -1 && i >= published ? "judged" : "guarded",
      program,
      args: [kind ?? "", ...more],
    };
  });
}

const firstWord = (text: string): string => text.trim().split(/\s+/)[0] ?? "";

function hookOf({ on, command, webhook }: NonNullable<Settings["notify"]>[number]): Hook {
  return {
    on: typeof on === "string" ? [on] : on,
    run: webhook === undefined ? { command: command ?? "" } : { webhook },
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

function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return shorten(line.replace(/^#+\s*/, ""), TITLE_CHARS);
}
