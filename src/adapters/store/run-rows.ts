import { holderIn } from "../../core/holder.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";

/** Ralph writes these rows and the migrations keep their format, so their values are not checked. */
export interface RunRow
  extends Pick<RunSummary, "id" | "workflow" | "cwd" | "steps" | "holder" | "status" | "detail" | "proof"> {
  age: number;
  user_message: string;
  platform: string | null;
  conversation: string | null;
  current_step_index: number;
  metadata: string;
  cost_usd: number;
  created_at_ms: number;
  updated_at_ms: number;
}

export const summaryOfRun = (row: RunRow): RunSummary => ({
  id: row.id,
  workflow: row.workflow,
  message: row.user_message,
  conversation: row.platform === null ? null : { platform: row.platform, id: row.conversation ?? "" },
  cwd: row.cwd,
  status: row.status,
  detail: row.detail,
  proof: row.proof,
  currentStep: row.current_step_index,
  steps: row.steps,
  metadata: JSON.parse(row.metadata),
  costUsd: row.cost_usd,
  holder: holderIn(row.holder).holder,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

/** The columns that never change. */
export const ownColumnsOfRun = ({ workflow, message, conversation, cwd }: RunStarted) => ({
  workflow: workflow.name,
  user_message: message,
  platform: conversation?.platform ?? null,
  conversation: conversation?.id ?? null,
  cwd,
  steps: onlyLoopOf(workflow)?.maxIterations ?? workflow.parts.length,
});

export const columnsOfRun = (state: RunState) => ({
  status: state.status,
  detail: state.detail,
  current_step_index: currentStep(state),
  metadata: JSON.stringify(state.metadata),
  cost_usd: state.spent.costUsd,
  proof: state.proof,
});

function currentStep({ started, part, metadata }: RunState): number {
  if (!started) return 1;
  if (onlyLoopOf(started.workflow)) return Math.max(1, Number(metadata.iteration_count ?? 1));
  return Math.min(part + 1, started.workflow.parts.length);
}

function onlyLoopOf({ form, parts }: Workflow) {
  const [part] = parts;
  return form === "loop" && part?.kind === "loop" ? part : null;
}

const SUMMARY = `age, id, workflow, user_message, platform, conversation, cwd, steps, holder, status, detail,
  proof,
  current_step_index, metadata, cost_usd, created_at_ms, updated_at_ms`;

interface Which {
  status: boolean;
  conversation: boolean;
  talking: boolean | null;
  oldestFirst: boolean;
}

/** The statement that lists runs of one status, or of any, in order. */
export function listingRuns({ status, conversation, talking, oldestFirst }: Which): string {
  const where = [
    ...(status ? ["status = :status"] : []),
    ...(conversation ? ["platform = :platform AND conversation = :conversation"] : []),
    ...(talking === null ? [] : [`platform IS ${talking ? "NOT NULL" : "NULL"}`]),
  ];
  return `SELECT ${SUMMARY} FROM workflow_runs ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}
    ORDER BY age ${oldestFirst ? "" : "DESC"} LIMIT :limit`;
}

export const SQL = {
  insert: `INSERT INTO workflow_runs (id, workflow, user_message, platform, conversation, cwd, steps, created_at_ms,
      updated_at_ms, seq, status, detail, current_step_index, metadata, cost_usd, proof)
    VALUES (:id, :workflow, :user_message, :platform, :conversation, :cwd, :steps, :at_ms, :at_ms, :seq, :status, :detail,
      :current_step_index, :metadata, :cost_usd, :proof)`,
  seq: "SELECT seq FROM workflow_runs WHERE id = :id",
  project: `UPDATE workflow_runs SET seq = :seq, status = :status, detail = :detail,
    current_step_index = :current_step_index, metadata = :metadata, cost_usd = :cost_usd, proof = :proof,
    holder = coalesce(:holder, holder), updated_at_ms = :at_ms WHERE id = :id`,
  nextInLine: `SELECT ${SUMMARY} FROM workflow_runs WHERE age IN (
      SELECT min(age) FROM workflow_runs INDEXED BY runs_in_line
        WHERE status = 'queued' AND platform IS NOT NULL GROUP BY platform, conversation)
    ORDER BY age LIMIT :limit`,
  counts: "SELECT status, count(*) AS number FROM workflow_runs GROUP BY status",
  byPrefix: `SELECT ${SUMMARY} FROM workflow_runs WHERE id >= :prefix AND id < :prefix || '~'
    ORDER BY id <> :prefix, age DESC LIMIT 5`,
  insertMessage: `INSERT INTO messages (platform, conversation, role, content, at_ms, run, external_id)
    VALUES (:platform, :conversation, :role, :content, :at_ms, :run, :external_id)`,
  isHeard: "SELECT 1 FROM messages WHERE platform = :platform AND external_id = :external_id",
  messages: `SELECT id, role, content, at_ms AS atMs, run FROM messages
    WHERE platform = :platform AND conversation = :conversation AND id > :after ORDER BY id LIMIT :limit`,
  latestMessages: `SELECT id, role, content, at_ms AS atMs, run FROM messages
    WHERE platform = :platform AND conversation = :conversation AND id > :after ORDER BY id DESC LIMIT :limit`,
} as const;
