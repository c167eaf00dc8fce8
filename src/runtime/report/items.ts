import { existsSync } from "node:fs";
import { relative } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { RalphError } from "../../core/errors.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { isLevel } from "../../core/proof/level.ts";
import { proofOf, weakIn } from "../../core/proof/shown.ts";
import type { ReportItem } from "../../core/report/report.ts";
import { loopStanding, runStanding, taskStanding } from "../../core/report/standing.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { TaskSummary } from "../../core/task/store.ts";
import { decidedWords } from "../../core/why-decided.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import { loopBlobs, type Workspace } from "../../core/workspace.ts";
import { withHolder, withRunHolder } from "../../engine/named.ts";
import { failingTestsOf } from "../../verify/counting/failing-tests.ts";
import { receiptPath } from "../../verify/receipts/files.ts";
import { nextOf } from "../why-loop.ts";
import type { ChangeSizes } from "./changes.ts";

export interface ItemContext {
  workspace: Workspace;
  sizes: ChangeSizes;
  /** The loops of each task and run with activity in the time of the report, oldest first. */
  loops: ReadonlyMap<string, readonly LoopSummary[]>;
}

/** Null: it has not started. */
export async function taskItem(context: ItemContext, row: TaskSummary): Promise<ReportItem | null> {
  const { workspace, sizes } = context;
  const { id, title } = row;
  const loops = context.loops.get(id) ?? [];
  const state = await orUnreadable(async () => (await workspace.tasks.load(id)).state);
  const own = { kind: "task" as const, id, title, ...amountsOf(loops, row), receipts: receiptsOf(workspace, loops) };
  if (state === null) return { ...own, ...DAMAGED, proof: row.proof };
  const stands = taskStanding(id, state, await workspace.leases.isTaken({ kind: "task", id }));
  if (stands === null) return null;
  const changes = await sizes.ofTask(state);
  return { ...own, ...stands, changes, ...provenIn(state), merged: state.merged };
}

const provenIn = ({ proof, weak = [] }: TaskState): Pick<ReportItem, "proof" | "weak"> => ({ proof, weak });

const DAMAGED: Pick<ReportItem, "standing" | "outcome" | "why" | "next" | "weak" | "changes" | "merged"> = {
  standing: "blocked",
  outcome: "unreadable",
  why: "its journal is damaged",
  next: "ralph doctor",
  weak: [],
  changes: null,
  merged: null,
};

export async function loopItem({ workspace, sizes }: ItemContext, loop: LoopSummary): Promise<ReportItem> {
  const { id, title, reason } = loop;
  const own = { kind: "loop" as const, id, title, ...amountsOf([loop], loop), receipts: receiptsOf(workspace, [loop]) };
  const state = await stateOf(workspace, id);
  if (state === null) return { ...own, ...DAMAGED, proof: null };
  const failing = await failingTestsOf(loopBlobs(workspace, id), state.turn?.verdict?.checks ?? []);
  const { held } = await withHolder(workspace, loop);
  const stands = loopStanding(loop, { held, decided: decidedWords(state, failing), next: nextOf(loop, state) });
  const changes = await sizes.ofLoop(id, state);
  return { ...own, ...stands, changes, proof: proofOf(reason), weak: weakIn(state), merged: null };
}

export async function runItem(context: ItemContext, row: RunSummary): Promise<ReportItem> {
  const { workspace } = context;
  const { held } = await withRunHolder(workspace, row);
  const loops = context.loops.get(row.id) ?? [];
  const [last] = loops.filter(({ reason }) => isLevel(reason)).slice(-1);
  const state = last ? await stateOf(workspace, last.id) : null;
  return {
    ...{ kind: "run", id: row.id, title: [row.workflow, row.message].filter(Boolean).join(": ") },
    ...runStanding(row, held),
    ...amountsOf(loops, row),
    // Steps without a loop of their own cost something too.
    costUsd: row.costUsd,
    proof: row.proof,
    weak: state ? weakIn(state) : [],
    changes: null,
    merged: null,
    receipts: receiptsOf(workspace, loops),
  };
}

const stateOf = ({ store }: Workspace, loop: string): Promise<LoopState | null> =>
  orUnreadable(async () => (await store.glance(loop)).state);

/** Null for a damaged journal: the report shows everything else. */
async function orUnreadable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RalphError && error.code.startsWith("journal-")) return null;
    throw error;
  }
}

type Amounts = Pick<ReportItem, "loops" | "iterations" | "costUsd" | "tokens" | "beganAtMs" | "updatedAtMs">;

/** Of loops with activity in the time of the report; without one, of the row. */
function amountsOf(loops: readonly LoopSummary[], row: { createdAtMs: number; updatedAtMs: number }): Amounts {
  const sum = (of: (loop: LoopSummary) => number) => loops.reduce((total, loop) => total + of(loop), 0);
  return {
    loops: loops.length,
    iterations: sum(({ iteration }) => iteration),
    costUsd: sum(({ costUsd }) => costUsd),
    tokens: sum(({ tokens }) => tokens),
    beganAtMs: loops[0]?.createdAtMs ?? row.updatedAtMs,
    updatedAtMs: Math.max(row.updatedAtMs, ...loops.map(({ updatedAtMs }) => updatedAtMs)),
  };
}

/** The receipts of a task are where it was executed: its worktree is gone. */
function receiptsOf({ cwd }: Workspace, loops: readonly LoopSummary[]): string[] {
  const home = checkoutRoot(cwd) ?? cwd;
  return loops
    .filter(({ reason }) => isLevel(reason))
    .map((loop) => receiptPath(loop.part ? home : loop.cwd, loop.id))
    .filter((path) => existsSync(path))
    .map((path) => relative(cwd, path));
}
