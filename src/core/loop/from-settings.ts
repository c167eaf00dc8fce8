import { shorten } from "../excerpt.ts";
import { commandName, DEFAULT_CHECK_TIMEOUT_S } from "../proof/methods/external.ts";
import type { Settings } from "../schema/settings.ts";
import {
  DEFAULT_FEEDBACK_CHARS,
  DEFAULT_TURN_TIMEOUTS,
  type Effect,
  type Guardrail,
  type Limits,
  type LoopSpec,
  type Receiver,
  type Recipient,
  type TurnTimeouts,
} from "./spec.ts";

const DEFAULT_OUTPUT_CHARS = 5_000;

type SharedParts = Pick<
  LoopSpec,
  "context" | "guardrails" | "notify" | "anchor" | "patience" | "outputTruncateChars" | "feedbackMaxChars"
>;

/** What settings mean in the same way for every loop, whichever door makes it. */
export const sharedParts = (settings: Settings): SharedParts => ({
  context: settings.context ?? "fresh",
  guardrails: guardrailsOf(settings),
  notify: (settings.notify ?? []).map(recipientOf),
  anchor: settings.anchor === undefined ? null : receiverOf(settings.anchor),
  patience: patienceOf(settings),
  outputTruncateChars: settings.outputTruncateChars ?? DEFAULT_OUTPUT_CHARS,
  feedbackMaxChars: settings.feedbackMaxChars ?? DEFAULT_FEEDBACK_CHARS,
});

/** Whether settings ask for more than a completion of any level. */
export const isStrict = ({ proof }: Settings): boolean => proof === "strict";

/** The guardrails that settings, or a workflow, name. */
export const guardrailsOf = ({ guardrails = [], checkTimeout }: Settings): Guardrail[] =>
  guardrails.map((guardrail) => ({
    name: commandName(guardrail.command),
    command: guardrail.command,
    timeoutMs: (guardrail.timeout ?? checkTimeout ?? DEFAULT_CHECK_TIMEOUT_S) * 1_000,
    failAction: guardrail.failAction ?? "APPEND",
    hint: guardrail.hint ?? null,
    parallel: guardrail.parallel ?? false,
  }));

const recipientOf = ({ on, ...receiver }: NonNullable<Settings["notify"]>[number]): Recipient => ({
  on: typeof on === "string" ? [on] : on,
  run: receiverOf(receiver),
});

const receiverOf = ({ command, webhook }: NonNullable<Settings["anchor"]>): Receiver =>
  webhook === undefined ? { command: command ?? "" } : { webhook };

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

/** The limits that a resume asks for, over those the loop had. */
export const resumedLimits =
  (flags: Settings) =>
  (before: Limits): Limits =>
    limitsOf(flags, before);

function patienceOf(settings: Settings): TurnTimeouts {
  const ms = (seconds: number | undefined, otherwise: number) => (seconds === undefined ? otherwise : seconds * 1_000);
  return {
    iterationTimeoutMs: ms(settings.iterationTimeout, DEFAULT_TURN_TIMEOUTS.iterationTimeoutMs),
    idleTimeoutMs: ms(settings.idleTimeout, DEFAULT_TURN_TIMEOUTS.idleTimeoutMs),
    graceMs: settings.graceMs ?? DEFAULT_TURN_TIMEOUTS.graceMs,
  };
}

/**
 * Version control tasks in their order. A commit comes before the verdict, so that what was verified can be found
 * again; what follows the first push waits for the verdict with it.
 */
export function effectsOf(scm: Settings["scm"]): Effect[] {
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

const TITLE_CHARS = 80;

/** What lists call a loop: the first line of its prompt. */
export function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return shorten(line.replace(/^#+\s*/, ""), TITLE_CHARS);
}
