import { holderIn } from "../../core/holder.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { iterationsDone } from "../../core/loop/state.ts";
import { STOP_REASONS } from "../../core/loop/stop-reasons.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import type { LoopRole } from "../../core/task/role.ts";
import { totalTokens } from "../../core/usage.ts";
import { type StoredRow, storable } from "./cells.ts";

/** The columns of `loops` that never change. */
export const loopColumns = ({ door, title, cwd, part, run }: LoopSpec) =>
  storable({
    door,
    title,
    cwd,
    task: part?.task ?? null,
    place: part?.place ?? null,
    run: run?.run ?? null,
    run_part: run?.part ?? null,
  });

/** The columns of `loops` that change with every entry. */
export function columnsOf(s: LoopState) {
  return storable({
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
  });
}

const troubleOf = ({ voids }: LoopState): string => (voids ? [voids.why, voids.detail].filter(Boolean).join(": ") : "");

/** Any program of the user can change the rows, so every value is checked. */
export function summaryOf(row: StoredRow): LoopSummary {
  const text = (name: string): string => String(row[name] ?? "");
  const maybe = (name: string): string | null => (row[name] === null ? null : text(name));
  const number = (name: string): number => Number(row[name] ?? 0) || 0;
  const count = (name: string): number | null => (row[name] === null ? null : number(name));
  const [proved, of] = [count("proved"), count("criteria")];
  return {
    id: text("id"),
    door: text("door") as LoopSummary["door"],
    title: text("title"),
    part: row.task === null ? null : { task: text("task"), place: text("place") as LoopRole },
    run: row.run === null ? null : { run: text("run"), part: text("run_part") },
    cwd: text("cwd"),
    status: oneOf(STATUSES, row.status) ?? "stopped",
    reason: row.status === "stopped" ? (oneOf(STOP_REASONS, row.reason) ?? "interrupted") : null,
    detail: text("detail"),
    iteration: number("iteration"),
    maxIterations: count("max_iterations"),
    costUsd: number("cost_usd"),
    tokens: number("tokens"),
    waitUntilMs: count("wait_until_ms"),
    proved: proved === null || of === null ? null : { proved, of },
    createdAtMs: number("created_at_ms"),
    updatedAtMs: number("updated_at_ms"),
    ...holderIn(text("holder")),
    driver: oneOf(DRIVERS, row.driver) ?? "engine",
    sessionId: maybe("session"),
  };
}

const STATUSES = ["running", "waiting", "stopped"] as const;
const DRIVERS = ["engine", "host", "fleet"] as const;

const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | null =>
  words.find((word) => word === value) ?? null;
