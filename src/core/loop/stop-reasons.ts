import { EXIT } from "../errors.ts";
import { LEVEL_WORDS } from "../proof/level.ts";

/** All that any part of Ralph knows of a stop reason. */
interface StopFacts {
  means: string;
  /** The command that helps; `{id}` is the loop. Empty: nothing is left to do. */
  next: string;
  /** The same for a loop of a workflow's run, `{run}`. Empty: the run has failed, and stays so. */
  inRun: string;
  exit: number;
  /** `complete`: the loop did what it was for. `pause`: it has not failed, and resumes where it was. */
  kind: "complete" | "pause" | "end";
  /** The user is notified that something has to be fixed. */
  needsUser: boolean;
  /** Another attempt at a task would end the same way. */
  blocksTask: boolean;
  /** Another attempt at a part of a workflow would end the same way. */
  retryFails: boolean;
  /** The environment's problem: every other task would meet it too. */
  everyTask: boolean;
  /** A limit that `ralph backtest` can replay. */
  isLimit: boolean;
  mark: string;
  tone: "green" | "cyan" | "yellow" | "magenta" | "bold" | "red";
}

const END = {
  next: "",
  inRun: "",
  exit: EXIT.stopped,
  kind: "end",
  needsUser: false,
  blocksTask: false,
  retryFails: false,
  everyTask: false,
  isLimit: false,
  mark: "■",
  tone: "red",
} as const;
const COMPLETE = { ...END, kind: "complete", exit: EXIT.verified } as const;
const LIMIT = { ...END, isLimit: true } as const;
const PAUSE = { ...END, kind: "pause" } as const;
const ENVIRONMENT = { everyTask: true, retryFails: true } as const;

/** One row for each stop reason: a reason without a meaning, or without a kind, does not compile. */
const STOP_FACTS = {
  verified: { ...COMPLETE, ...LEVEL_WORDS.verified },
  judged: { ...COMPLETE, ...LEVEL_WORDS.judged },
  "still-green": { ...COMPLETE, ...LEVEL_WORDS["still-green"] },
  "promise-only": { ...COMPLETE, ...LEVEL_WORDS["promise-only"] },
  finished: {
    ...COMPLETE,
    mark: "✓",
    tone: "bold",
    means: "the agent's turn has ended, with nothing claimed or proven",
    next: "",
  },
  "iteration-limit": { ...LIMIT, means: "the iteration limit was reached", next: "ralph resume {id} -m <more>" },
  "cost-limit": { ...LIMIT, means: "the cost limit was reached", next: "ralph resume {id} --max-cost <more>" },
  "token-limit": { ...LIMIT, means: "the token limit was reached", next: "ralph resume {id} --max-tokens <more>" },
  "time-limit": { ...LIMIT, means: "the time limit was reached", next: "ralph resume {id} --timeout <more>" },
  "wait-limit": {
    ...PAUSE,
    ...ENVIRONMENT,
    inRun: "ralph workflow resume {run}, later",
    means: "waiting for the agent's usage limit would take too long",
    next: "ralph resume {id}, later",
  },
  stuck: {
    ...LIMIT,
    means: "iterations brought nothing new",
    next: "ralph logs {id} (does it ask something?), then a new loop with another prompt or other checks",
  },
  blocked: {
    ...END,
    needsUser: true,
    blocksTask: true,
    retryFails: true,
    inRun: "fix it, then ralph workflow resume {run}",
    means: "the agent says it cannot go on without a person",
    next: "see to it, then ralph resume {id}",
  },
  tampered: {
    ...END,
    needsUser: true,
    means: "files that decide completion were changed again and again",
    next: 'look at them, then ralph resume {id} --accept-changes if the change was yours; a new loop with "protect": ["!<file>"] for a file that is the work itself',
  },
  unverifiable: {
    ...END,
    needsUser: true,
    means: "the checks could not be carried out",
    next: "make the check work, then ralph resume {id} (--accept-changes if files of it changed); a new loop if its command is wrong",
  },
  "no-work": {
    ...END,
    means: "the agent claimed completion without doing anything",
    next: "ralph logs {id}; for a question or a report set zero_work_guard: false, then ralph run again",
  },
  "agent-failed": {
    ...END,
    means: "the agent failed again and again",
    next: "ralph logs {id}, then ralph resume {id}; a new loop if settings have to change",
  },
  auth: {
    ...PAUSE,
    ...ENVIRONMENT,
    needsUser: true,
    inRun: "log in with the agent's own command, then ralph workflow resume {run}",
    means: "the agent is not logged in",
    next: "log in with the agent's own command, then ralph resume {id}",
  },
  "agent-missing": {
    ...PAUSE,
    ...ENVIRONMENT,
    needsUser: true,
    exit: EXIT.usage,
    inRun: "install it, then ralph workflow resume {run}",
    means: "the agent's command was not found",
    next: "install it, then ralph resume {id}",
  },
  "check-missing": {
    ...END,
    needsUser: true,
    blocksTask: true,
    exit: EXIT.usage,
    means: "a check cannot be run, so nothing could be proven",
    next: "install what is missing, then ralph resume {id} (--accept-changes if files of the check changed); or a new loop with another command, or with --missing-ok (missing_ok: true) if the agent is to create it",
  },
  "already-green": {
    ...END,
    needsUser: true,
    blocksTask: true,
    exit: EXIT.usage,
    means: "the checks pass before any work is done, so they would prove nothing",
    next: "a new loop with a check that fails until the work is done, or without require_red_first",
  },
  "faults-found": {
    ...END,
    means: "the agent found faults that somebody else has to mend",
    next: "ralph execute sends the task back to its coder",
  },
  budget: {
    ...PAUSE,
    inRun: "ralph workflow resume {run}",
    means: "the budget of the execution was used up",
    next: "ralph execute with more of it goes on",
  },
  cancelled: { ...END, exit: EXIT.interrupted, means: "cancelled", next: "ralph resume {id}" },
  interrupted: {
    ...PAUSE,
    exit: EXIT.interrupted,
    inRun: "ralph workflow resume {run}",
    means: "interrupted",
    next: "ralph resume {id}",
  },
} satisfies Record<string, StopFacts>;

export type StopReason = keyof typeof STOP_FACTS;

export const STOP_REASONS = Object.keys(STOP_FACTS) as StopReason[];

/** The row of a reason. */
export const stopFacts = (reason: StopReason): StopFacts => STOP_FACTS[reason];

/** The loop has come to its end: a proven claim, or the turn of a step. */
export const isComplete = (reason: StopReason): boolean => stopFacts(reason).kind === "complete";
