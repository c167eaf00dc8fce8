import { targetOf } from "../../adapters/git/task-branch.ts";
import { isStrict } from "../../core/loop/from-settings.ts";
import { agentLabel } from "../../core/loop/words.ts";
import type { Forecast } from "../../core/task/forecast.ts";
import type { AgentRole } from "../../core/task/role.ts";
import { DEFAULT_TASK_LIMITS } from "../../core/task/work.ts";
import type { Workspace } from "../../core/workspace.ts";
import { requireSpec } from "../../engine/named.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import type { ExecutionView } from "./context.ts";
import { execute } from "./execution.ts";
import { requireStartable } from "./pick.ts";
import { pinSettings } from "./pins/settings-pin.ts";
import { type ExecutionOutline, planExecution } from "./plan/execution-plan.ts";
import { tasksAhead } from "./plan/tasks-ahead.ts";
import { type PipelineSettings, pipelineSettings } from "./settings.ts";
import { stagesOf } from "./stage/proof.ts";

interface OpenRequest {
  workspace: Workspace;
  cwd: string;
  stops: StopControl;
  view: ExecutionView;
  spec?: string;
  /** Only these tasks. */
  task?: readonly string[];
  maxParallel?: number;
  stages?: readonly AgentRole[];
  target?: string;
  maxCost?: number;
  /** In seconds. */
  maxDuration?: number;
  settings?: string;
  agent?: readonly string[];
  scenario?: string;
  model?: string | undefined;
  agentFlags?: readonly string[] | undefined;
  /** Apply changes of tasks and settings immediately. */
  acceptChanges?: boolean;
  /** Interrupted tasks begin again with the settings of now. */
  restart?: boolean;
}

/** What will be done, for display. */
export interface ExecutionPlan {
  stages: readonly AgentRole[];
  target: string;
  maxParallel: number;
  agents: Readonly<Record<string, string>>;
  forecast: Forecast;
}

const DEFAULT_PARALLEL = 6;

/** Prepares an execution. Throws for anything missing before work starts. */
export async function openExecution(request: OpenRequest) {
  const { workspace, cwd, stops, view } = request;
  const acceptChanges = request.acceptChanges ?? false;
  const settingsPin = await pinSettings({
    ...{ cwd, view, acceptChanges, settingsPath: request.settings },
    read: () => pipelineSettings(request),
  });
  const { settings } = settingsPin;
  const asked = await askedOf(request, settings);
  const { spec, only, stages, target, maxParallel, limits, maxCostUsd, maxMs, restart } = asked;
  const { forecast } = await tasksAhead(asked);
  const plan: ExecutionPlan = {
    ...{ stages, target, maxParallel },
    agents: Object.fromEntries(stages.map((role) => [role, agentLabel(settings.agents[role], 0)])),
    forecast,
  };
  return {
    /** Whether the settings require a proof of `judged` or better. */
    strict: isStrict(settings.all),
    plan,
    work: () =>
      execute({
        ...{
          workspace,
          cwd,
          settingsPin,
          acceptChanges,
          restart,
          spec,
          only,
          target,
          stages,
          limits,
          maxParallel,
          stops,
          view,
        },
        budget: { maxCostUsd, maxMs },
      }),
  };
}

/** `ralph execute --dry-run`. */
export async function dryExecution(request: Omit<OpenRequest, "stops" | "view">): Promise<ExecutionOutline> {
  const settings = await pipelineSettings({ ...request, dryRun: true });
  const ids = request.task ?? [];
  for (const id of ids) await requireStartable(request.workspace, id, ids);
  return planExecution(await askedOf(request, settings));
}

/** What the options and settings ask for. */
async function askedOf(request: Omit<OpenRequest, "stops" | "view">, settings: PipelineSettings) {
  const { workspace, cwd, spec } = request;
  const { ralph } = settings;
  const target = await targetOf(cwd, request.target);
  if (spec !== undefined) await requireSpec(workspace.tasks, spec);
  return {
    ...{ workspace, cwd, settings, target },
    restart: request.restart ?? false,
    spec: spec ?? null,
    only: request.task?.length ? [...new Set(request.task)] : null,
    stages: request.stages ?? stagesOf(settings.all),
    maxParallel: request.maxParallel ?? ralph.max_parallel ?? DEFAULT_PARALLEL,
    limits: {
      maxAttempts: ralph.max_attempts ?? DEFAULT_TASK_LIMITS.maxAttempts,
      maxRounds: ralph.max_rounds ?? DEFAULT_TASK_LIMITS.maxRounds,
    },
    maxCostUsd: request.maxCost ?? null,
    maxMs: request.maxDuration === undefined ? null : request.maxDuration * 1_000,
  };
}
