import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import { iterationsDone } from "../core/loop/state.ts";
import type { LoopSummary } from "../core/store.ts";
import type { Place } from "../core/task/events.ts";
import { totalTokens } from "../core/usage.ts";

/** The columns of `loops` that stay as they are. */
export const ownColumnsOf = ({ door, title, cwd, part, run }: LoopSpec) => ({
  door,
  title,
  cwd,
  task: part?.task ?? null,
  place: part?.place ?? null,
  run: run?.run ?? null,
  run_part: run?.part ?? null,
});

/** What a list shows of a state: the columns of `loops` that change with every entry. */
export function columnsOf(s: LoopState) {
  return {
    status: s.stopped ? "stopped" : s.wait ? "waiting" : "running",
    reason: s.stopped?.reason ?? null,
    detail: s.stopped?.detail ?? troubleOf(s),
    iteration: s.stopped ? iterationsDone(s) : s.n,
    max_iterations: s.limits.maxIterations,
    cost_usd: s.spent.costUsd,
    tokens: totalTokens(s.spent),
    wait_until_ms: s.wait?.untilMs ?? null,
    proved: s.proved?.proved ?? null,
    criteria: s.proved?.of ?? null,
    driver: s.driver,
    session: s.sessionId,
    updated_at_ms: s.atMs,
  };
}

/** What keeps a loop from working, or kept it last. */
const troubleOf = ({ voids }: LoopState): string => (voids ? [voids.why, voids.detail].filter(Boolean).join(": ") : "");

export interface LoopRow extends ReturnType<typeof columnsOf>, ReturnType<typeof ownColumnsOf> {
  id: string;
  seq: number;
  epoch: number;
  created_at_ms: number;
  holder: string;
}

/** Rows are our own writing, kept in shape by the migrations; their words are taken as they stand. */
export function summaryOf(row: LoopRow): LoopSummary {
  return {
    id: row.id,
    door: row.door,
    title: row.title,
    part: row.task === null ? null : { task: row.task, place: row.place as Place },
    run: row.run === null ? null : { run: row.run, part: row.run_part ?? "" },
    cwd: row.cwd,
    status: row.status as LoopSummary["status"],
    reason: row.reason as LoopSummary["reason"],
    detail: row.detail,
    iteration: row.iteration,
    maxIterations: row.max_iterations,
    costUsd: row.cost_usd,
    tokens: row.tokens,
    waitUntilMs: row.wait_until_ms,
    proved: row.proved === null || row.criteria === null ? null : { proved: row.proved, of: row.criteria },
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    holder: row.holder,
    driver: row.driver,
    sessionId: row.session,
  };
}
