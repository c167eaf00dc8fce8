import { presets } from "../core/claim/policy.ts";
import { shorten } from "../core/excerpt.ts";
import {
  type AgentSpec,
  type Check,
  DEFAULT_LIMITS,
  DEFAULT_PATIENCE,
  type Effect,
  type Hook,
  type Limits,
  type LoopSpec,
  type Patience,
} from "../core/loop/spec.ts";
import type { AgentSettings, Settings } from "../core/schema/settings.ts";

const DEFAULT_CHECK_TIMEOUT_S = 300;
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
}

/** The harness door: settings and a prompt become a loop. */
export function harnessSpec({ settings, cwd, tracked, prompt, promptText, agents }: HarnessRequest): LoopSpec {
  const checks = (settings.verify ?? []).map((command) => checkOf(command, settings.checkTimeout));
  return {
    door: "harness",
    title: titleOf(promptText),
    cwd,
    tracked,
    prompt,
    agents: agents.map(agentSpec),
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
      hint: guardrail.hint ?? null,
      parallel: guardrail.parallel ?? false,
    })),
    checks,
    effects: effectsOf(settings.scm),
    commitMessage: settings.scm?.message ?? "agent",
    notify: (settings.notify ?? []).map(hookOf),
    limits: limitsOf(settings, DEFAULT_LIMITS),
    patience: patienceOf(settings),
    outputTruncateChars: settings.outputTruncateChars ?? DEFAULT_OUTPUT_CHARS,
  };
}

/** Settings of an agent, with everything decided that they leave open. */
export const agentSpec = ({ command, flags = [], output, prompt, price }: AgentSettings): AgentSpec => ({
  command,
  flags: flags.flatMap(splitFlag),
  output: output ?? "stream",
  promptBy: prompt ?? null,
  price: price ?? null,
});

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

const checkOf = (command: string, timeoutS = DEFAULT_CHECK_TIMEOUT_S): Check => ({
  name: shorten(command, TITLE_CHARS),
  command,
  timeoutMs: timeoutS * 1_000,
});

/** An entry such as `--model opus` is two arguments; a flag's value may hold spaces itself. */
function splitFlag(flag: string): string[] {
  const [, name, value] = /^(-\S+)\s+(.*)$/s.exec(flag) ?? [];
  return name !== undefined && value ? [name, value] : [name ?? flag];
}

function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return shorten(line.replace(/^#+\s*/, ""), TITLE_CHARS);
}
