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
  "context" | "memory" | "guardrails" | "notify" | "anchor" | "patience" | "outputTruncateChars" | "feedbackMaxChars"
>;

/** The part of a loop's spec that follows from settings in the same way for every door. */
export const sharedParts = (settings: Settings): SharedParts => ({
  context: settings.context ?? "fresh",
  memory: settings.memory ?? true,
  guardrails: guardrailsOf(settings),
  notify: (settings.notify ?? []).map(recipientOf),
  anchor: settings.anchor === undefined ? null : receiverOf(settings.anchor),
  patience: patienceOf(settings),
  outputTruncateChars: settings.outputTruncateChars ?? DEFAULT_OUTPUT_CHARS,
  feedbackMaxChars: settings.feedbackMaxChars ?? DEFAULT_FEEDBACK_CHARS,
});

type OwnParts = Pick<
  LoopSpec,
  "completionInstructions" | "effects" | "strict" | "commitMessage" | "allowDirty" | "limits"
>;

/** The same for a loop that is not part of a task or run. */
export const ownParts = (settings: Settings, limits: Limits): SharedParts & OwnParts => ({
  completionInstructions: settings.completionInstructions ?? true,
  ...sharedParts(settings),
  effects: effectsOf(settings.scm),
  strict: isStrict(settings),
  commitMessage: settings.scm?.message ?? "known",
  ...(settings.scm?.allowDirty ? { allowDirty: true } : {}),
  limits: limitsOf(settings, limits),
});

/** The promise of a loop: in the criteria, in the settings, or the door's own. */
export const promiseOf = ({ completion, completionResponse }: Settings, otherwise: string): string =>
  completion?.promise ?? completionResponse ?? otherwise;

/** Whether settings require more than a completion of any level. */
export const isStrict = ({ proof }: Settings): boolean => proof === "strict";

/** The guardrails of settings or a workflow. */
export const guardrailsOf = ({ guardrails = [], checkTimeout }: Settings): Guardrail[] =>
  guardrails.map((guardrail) => ({
    name: commandName(guardrail.command),
    command: guardrail.command,
    timeoutMs: (guardrail.timeout ?? checkTimeout ?? DEFAULT_CHECK_TIMEOUT_S) * 1_000,
    failAction: guardrail.failAction ?? "APPEND",
    hint: guardrail.hint ?? null,
    parallel: guardrail.parallel ?? false,
  }));

/** A recipient of notifications as loops have it. */
export const recipientOf = ({ on, ...receiver }: NonNullable<Settings["notify"]>[number]): Recipient => ({
  on: typeof on === "string" ? [on] : on,
  run: receiverOf(receiver),
});

const receiverOf = ({ command, webhook }: NonNullable<Settings["anchor"]>): Receiver =>
  webhook === undefined ? { command: command ?? "" } : { webhook };

/** The limits, with those in the settings replaced. */
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

/** The loop's limits, with those requested by a resume replaced. */
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
 * Version control tasks in order. A commit precedes the verdict, so that the verified state can be found again. The
 * first push and everything after it follow the verdict.
 */
function effectsOf(scm: Settings["scm"]): Effect[] {
  const { command = "git", tasks = [] } = scm ?? {};
  // A path to git is git too, and is handled the same way.
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

/** The title of a loop in lists: the first line of its prompt. */
export function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return shorten(line.replace(/^#+\s*/, ""), TITLE_CHARS);
}
