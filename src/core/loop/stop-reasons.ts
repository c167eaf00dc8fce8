import { EXIT } from "../errors.ts";
import { isLevel, isStrictEnough, LEVEL_WORDS, type Level } from "../proof/level.ts";

/** The notifications that a stop can cause. */
export type StopNotice = "verified" | "completed" | "blocked" | "failed" | "stopped";

interface StopWords {
  means: string;
  /** What helps; `{resume}` is the command that resumes the loop, `{id}` its id, `{more}` a
   * higher limit. Empty: nothing to do. */
  next: string;
  /** The same in a paused workflow run, if different. */
  inRun?: string;
  /** The same in a host's session, which has no other options for resuming, if different. */
  inSession?: string;
}

interface StopEffects {
  exit: number;
  /** `complete`: the loop did its work. `limit`: a limit that `ralph backtest` can replay. */
  loop: "complete" | "limit" | "stopped";
  /**
   * The effect on the loop's task. `failed`: another attempt may follow. `blocked`: another attempt would end the same
   * way. `sent-back`: to the coder. `paused`: the loop resumes later. `environment`: paused, and every other task would
   * stop for the same reason.
   */
  task: "passed" | "failed" | "blocked" | "sent-back" | "paused" | "environment" | "cancelled";
  /** The effect on the loop's workflow run. */
  run: "done" | "failed" | "paused" | "cancelled";
  /** The most specific notification. */
  notify: StopNotice;
}

/** Everything about a stop reason. */
interface StopReasonFacts extends StopWords, StopEffects {
  mark: string;
  tone: "green" | "cyan" | "yellow" | "magenta" | "bold" | "red";
}

const COMPLETE = { exit: EXIT.verified, loop: "complete", next: "", run: "done" } as const;

function completion(level: Level, notify: StopNotice): StopReasonFacts {
  const { means, mark, tone } = LEVEL_WORDS[level];
  return { ...COMPLETE, means, mark, tone, notify, task: "passed" };
}

const stop = (words: StopWords, effects: StopEffects): StopReasonFacts => ({
  ...words,
  ...effects,
  mark: "■",
  tone: "red",
});

const limit = (means: string, next: string): StopReasonFacts =>
  stop({ means, next }, { exit: EXIT.stopped, loop: "limit", task: "failed", run: "failed", notify: "failed" });

/** One row for each stop reason; a row that leaves a field out does not compile. */
const STOP_FACTS = {
  verified: completion("verified", "verified"),
  judged: completion("judged", "completed"),
  "still-green": completion("still-green", "completed"),
  "promise-only": completion("promise-only", "completed"),
  finished: {
    ...COMPLETE,
    means: "the agent's turn has ended, with nothing claimed or proven",
    mark: "✓",
    tone: "bold",
    notify: "stopped",
    task: "failed",
  },
  "iteration-limit": limit("the iteration limit was reached", "{resume} -m {more}"),
  "cost-limit": limit("the cost limit was reached", "{resume} --max-cost {more}"),
  "token-limit": limit("the token limit was reached", "{resume} --max-tokens {more}"),
  "time-limit": limit("the time limit was reached", "{resume} --timeout {more}"),
  "wait-limit": stop(
    {
      means: "waiting for the agent's usage limit would take too long",
      next: "{resume}, later",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "environment", run: "paused", notify: "failed" },
  ),
  stuck: limit(
    "iterations made no progress",
    "ralph logs {id} (does it ask something?), then a new loop with another prompt or other checks",
  ),
  blocked: stop(
    {
      means: "the agent says that it cannot continue without the user",
      next: "fix it, then {resume}",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "blocked", run: "paused", notify: "blocked" },
  ),
  tampered: stop(
    {
      means: "files that decide completion were changed repeatedly",
      next: 'look at them, then ralph resume {id} --accept-changes if the change was yours; a new loop with "protect": ["!<file>"] for a file that is the work itself',
    },
    { exit: EXIT.stopped, loop: "stopped", task: "failed", run: "failed", notify: "blocked" },
  ),
  unverifiable: stop(
    {
      means: "the checks could not run",
      next: "make the check work, then {resume} (--accept-changes if files of it changed); a new loop if its command is wrong",
      inSession: "make the check work, then {resume}; a new loop if its command is wrong",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "failed", run: "failed", notify: "blocked" },
  ),
  "no-work": stop(
    {
      means: "the agent claimed completion without doing anything",
      next: "ralph logs {id}; for a question or a report set zero_work_guard: false, then ralph run again",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "failed", run: "failed", notify: "failed" },
  ),
  "agent-failed": stop(
    {
      means: "the agent failed",
      next: "ralph logs {id}, then {resume}; a new loop if settings have to change",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "failed", run: "failed", notify: "failed" },
  ),
  auth: stop(
    {
      means: "the agent is not logged in",
      next: "log in with the agent's own command, then {resume}",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "environment", run: "paused", notify: "blocked" },
  ),
  "agent-missing": stop(
    {
      means: "the agent's command was not found",
      next: "install it, then {resume}",
    },
    { exit: EXIT.usage, loop: "stopped", task: "environment", run: "paused", notify: "blocked" },
  ),
  "check-missing": stop(
    {
      means: "a check cannot be run, so nothing could be proven",
      next: "install what is missing, then {resume} (--accept-changes if files of the check changed); or a new loop with another command, or with --missing-ok (missing_ok: true) if the agent should create it",
      inSession:
        "install what is missing, then {resume}; or a new loop with another command, or with --missing-ok (missing_ok: true) if the agent should create it",
    },
    { exit: EXIT.usage, loop: "stopped", task: "blocked", run: "failed", notify: "blocked" },
  ),
  "already-green": stop(
    {
      means: "the checks pass before any work is done, so they would prove nothing",
      next: "a new loop with a check that fails until the work is done, or without require_red_first",
    },
    { exit: EXIT.usage, loop: "stopped", task: "blocked", run: "failed", notify: "blocked" },
  ),
  "faults-found": stop(
    {
      means: "the agent found faults that another agent has to fix",
      next: "ralph execute sends the task back to its coder",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "sent-back", run: "failed", notify: "failed" },
  ),
  budget: stop(
    {
      means: "the budget of the execution was used up",
      next: "ralph execute with a higher budget continues",
      inRun: "{resume}",
    },
    { exit: EXIT.stopped, loop: "stopped", task: "paused", run: "paused", notify: "failed" },
  ),
  cancelled: stop(
    {
      means: "cancelled",
      next: "{resume}",
    },
    { exit: EXIT.interrupted, loop: "stopped", task: "cancelled", run: "cancelled", notify: "stopped" },
  ),
  interrupted: stop(
    {
      means: "interrupted",
      next: "{resume}",
    },
    { exit: EXIT.interrupted, loop: "stopped", task: "paused", run: "paused", notify: "stopped" },
  ),
} satisfies Record<string, StopReasonFacts>;

export type StopReason = keyof typeof STOP_FACTS;

export const STOP_REASONS = Object.keys(STOP_FACTS) as StopReason[];

/** The row of a reason. */
export const stopFacts = (reason: StopReason): StopReasonFacts => STOP_FACTS[reason];

/** The loop did its work: a proven claim, or the turn of a step. */
export const isComplete = (reason: StopReason): boolean => stopFacts(reason).loop === "complete";

/** The loop used all its iterations, which has its own words wherever it is reported. */
export const isOutOfIterations = (reason: StopReason): boolean => reason === "iteration-limit";

/** The loop of a task has not failed and can be resumed. */
export function pausesTask(reason: StopReason): boolean {
  const { task } = stopFacts(reason);
  return task === "paused" || task === "environment";
}

/** The exit code of a stop reason; `strict`: the user requires `judged` or better. */
export function exitCodeOf(reason: StopReason, strict = false): number {
  return strict && isLevel(reason) && !isStrictEnough(reason) ? EXIT.stopped : stopFacts(reason).exit;
}
