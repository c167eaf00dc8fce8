import { printable } from "../../core/ansi.ts";
import { formatDuration } from "../../core/duration.ts";
import { unaddressed } from "../../core/escape-mentions.ts";
import { firstNamed, shorten } from "../../core/excerpt.ts";
import type { Level } from "../../core/proof/level.ts";
import { equalReasons } from "../../core/report/equal-reasons.ts";
import type { TaskStatus } from "../../core/task/task.ts";
import { dollars, totalTokens } from "../../core/usage.ts";
import type { ExecutionEnd } from "./execution-end.ts";

/** The short report of an execution, for a notification. Bounded: a command gets it in its environment. */
export interface FinishedFacts {
  notice: "finished";
  execution: string;
  at: string;
  cwd: string;
  /** `done`: nothing is left to do. `error`: it broke off. The others: what stopped it. */
  reason: "done" | "left" | "error" | "cancelled" | "interrupted" | "budget";
  detail: string;
  /** The tasks that it merged, with their levels, and those of them whose proof is weakened. */
  merged: readonly { task: string; proof: Level | null; weakened: boolean }[];
  /** What is not done, by reason. */
  open: readonly { tasks: readonly string[]; why: string }[];
  /** The number of tasks of each status. */
  counts: Readonly<Partial<Record<TaskStatus, number>>>;
  costUsd: number;
  tokens: number;
  ms: number;
  next: string;
  /** A summary on one line. */
  text: string;
}

const MOST_MERGED = 100;
const MOST_REASONS = 20;
const MOST_TASKS = 20;
const WHY_CHARS = 300;
const TEXT_CHARS = 800;

interface Finished {
  cwd: string;
  /** Why it broke off. */
  error?: string;
}

export function finishedFacts(end: ExecutionEnd, { cwd, error }: Finished): FinishedFacts {
  const { execution, stopped, tasks, proofs, weakened, counts, left, spent, ms } = end;
  const done = Object.keys(tasks).filter((task) => tasks[task] === "done");
  const reasons = equalReasons(left.map(({ task, why }) => ({ id: task, why })));
  const facts = {
    notice: "finished" as const,
    execution,
    at: new Date().toISOString(),
    cwd,
    reason: error === undefined ? (stopped?.as ?? (openCount(counts) === 0 ? "done" : "left")) : "error",
    detail: shorten(printable(error ?? (stopped ? `by ${stopped.by}` : "")), WHY_CHARS),
    merged: done
      .slice(0, MOST_MERGED)
      .map((task) => ({ task, proof: proofs[task] ?? null, weakened: weakened.includes(task) })),
    open: reasons.slice(0, MOST_REASONS).map(({ why, items }) => ({
      tasks: items.slice(0, MOST_TASKS).map(({ id }) => id),
      why: shorten(printable(why), WHY_CHARS),
    })),
    counts,
    costUsd: Number(spent.costUsd.toFixed(6)),
    tokens: totalTokens(spent),
    ms,
    next: openCount(counts) === 0 && error === undefined ? "ralph report" : "ralph report · ralph execute",
  } satisfies Omit<FinishedFacts, "text">;
  return { ...facts, text: sentence(facts, done.length) };
}

/** How many tasks are not done; proposed and dropped ones do not count. */
export function openCount({ done: _, cancelled: __, proposed: ___, ...open }: ExecutionEnd["counts"]): number {
  return Object.values(open).reduce((sum, n) => sum + n, 0);
}

function sentence(facts: Omit<FinishedFacts, "text">, merged: number): string {
  const { reason, detail, open, counts, costUsd, ms, next } = facts;
  const blocked = counts.blocked ?? 0;
  const others = openCount(counts) - blocked;
  const weak = facts.merged.filter(({ proof, weakened }) => weakened || (proof !== null && proof !== "verified"));
  const words = [
    `${merged} merged${weak.length > 0 ? ` (${weak.length} weak)` : ""}`,
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(others > 0 ? [`${others} not done`] : []),
    ...(counts.proposed ? [`${counts.proposed} proposed`] : []),
  ];
  const how = reason === "done" || reason === "left" ? "" : ` ${[reason, detail].filter(Boolean).join(": ")};`;
  const whys = open.map(({ tasks, why }) => `${firstNamed(tasks, 3)}: ${why}`);
  const spent = [formatDuration(ms), ...(costUsd > 0 ? [dollars(costUsd)] : [])].join(", ");
  const text = `ralph execute finished:${how} ${words.join(", ")} (${spent}).${whys.length > 0 ? ` ${whys.join("; ")}.` : ""}`;
  return unaddressed(`${shorten(printable(text), TEXT_CHARS - next.length - 8)} next: ${next}`);
}
