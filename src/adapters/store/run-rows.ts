import type { Level } from "../../core/proof/level.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { RunState, RunStatus } from "../../core/workflow/state.ts";
import type { Message, RunSummary } from "../../core/workflow/store.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";

/** Rows are our own writing, kept in shape by the migrations; their words are taken as they stand. */
export interface RunRow {
  age: number;
  id: string;
  workflow: string;
  user_message: string;
  platform: string | null;
  conversation: string | null;
  cwd: string;
  steps: number;
  holder: string;
  status: RunStatus;
  detail: string;
  proof: Level | null;
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
  holder: row.holder,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

/** The columns that stay as they are. */
export const ownColumnsOfRun = ({ workflow, message, conversation, cwd }: RunStarted) => ({
  workflow: workflow.name,
  user_message: message,
  platform: conversation?.platform ?? null,
  conversation: conversation?.id ?? null,
  cwd,
  steps: onlyLoopOf(workflow)?.maxIterations ?? workflow.parts.length,
});

/** The columns that follow from the state. */
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

export interface MessageRow {
  id: number;
  role: Message["role"];
  content: string;
  at_ms: number;
  run: string | null;
}

export const storedMessage = ({ id, role, content, at_ms, run }: MessageRow): Message => ({
  id,
  role,
  content,
  atMs: at_ms,
  run,
});
