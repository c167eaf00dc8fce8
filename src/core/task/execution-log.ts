import { objectionTo } from "../loop/decide.ts";
import type { Entry, LoopEvent } from "../loop/events.ts";
import type { LoopChange } from "../loop/kind.ts";
import type { LoopState, Turn } from "../loop/state.ts";
import { pausesTask } from "../loop/stop-reasons.ts";
import { addUsage, NO_USAGE, totalTokens, type Usage } from "../usage.ts";
import { objectionWords } from "../why.ts";

/** One iteration in the execution log: the documented fields, then further facts from the journal. */
interface LogLine {
  task_id: string;
  stage: string;
  ralph_iteration: number;
  ralph_max: number | null;
  promise_found: boolean;
  continuing: boolean;
  duration_ms: number;
  at: string;
  loop: string;
  /** Null: nothing was verified. */
  verified: boolean | null;
  /** The verdict's reason, or why the claim got no verdict. */
  reason: string;
  timed_out: boolean;
  cost_usd: number;
  tokens: number;
  /** Every tag that looked like a promise, with the rule against it. */
  promises: readonly { text: string; refused: string | null }[];
}

/** Reads all entries of one loop in order; yields a line for each iteration once it is settled. */
export function iterationLog(): (change: LoopChange) => LogLine | null {
  let spent = NO_USAGE;
  let beganMs = 0;
  let agentMs = 0;
  return ({ entry, before }) => {
    const { event } = entry;
    const line = isSettledBy(event, before) ? lineOf(before, entry, { spent, ms: agentMs }) : null;
    if (line) spent = NO_USAGE;
    if (event.type === "turn.began") beganMs = entry.atMs;
    if (event.type === "turn.ended") agentMs = entry.atMs - beganMs;
    spent = addUsage(spent, usageIn(event));
    return line;
  };
}

/** The cost that an event reports. */
export const usageIn = (event: LoopEvent): Usage => ("usage" in event ? event.usage : NO_USAGE);

/** A paused loop continues its iteration later. */
function isSettledBy(event: LoopEvent, { turn }: LoopState): boolean {
  if (!turn?.ended) return false;
  if (event.type === "loop.stopped") return !pausesTask(event.reason);
  return event.type === "turn.began";
}

function lineOf(s: LoopState, { loop, atMs, event }: Entry, took: { spent: Usage; ms: number }): LogLine | null {
  const { turn, spec } = s;
  if (!turn || !spec?.part) return null;
  const stopped = event.type === "loop.stopped" ? event : null;
  return {
    task_id: spec.part.task,
    stage: spec.part.place,
    ralph_iteration: s.n,
    ralph_max: s.limits.maxIterations,
    promise_found: turn.claim !== null,
    continuing: stopped === null,
    duration_ms: took.ms,
    at: new Date(atMs).toISOString(),
    loop,
    verified: turn.verdict ? turn.verdict.is === "pass" : null,
    reason: reasonOf(s, turn),
    timed_out: turn.failed?.kind === "timed-out",
    cost_usd: took.spent.costUsd,
    tokens: totalTokens(took.spent),
    promises: promisesOf(turn),
  };
}

/** The verdict's reason, or why the claim got no verdict; empty without a claim. */
function reasonOf(s: LoopState, turn: Turn): string {
  if (turn.verdict) return turn.verdict.reason;
  if (turn.failed) return [turn.failed.kind, turn.failed.detail].filter(Boolean).join(": ");
  const objection = objectionTo(s, turn);
  return objection === null || objection === "no-claim" ? "" : objectionWords(objection, turn.guards ?? []);
}

const promisesOf = ({ claim, doubts }: Turn): LogLine["promises"] => [
  ...doubts
    .filter(({ is }) => is === "guarded")
    .map(({ quote, rule, detail }) => ({
      text: quote,
      refused: detail ? `${rule} (${detail})` : rule,
    })),
  ...(claim ? [{ text: claim.quote, refused: null }] : []),
];
