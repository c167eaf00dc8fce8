import { relative } from "node:path";
import { type TargetCheckout, targetCheckout } from "../../../adapters/git/move-target.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import type { AgentRole } from "../../../core/task/role.ts";
import { type AgentPlan, agentProblems, type Problem, planAgent } from "../../../runtime/dry-run.ts";
import { installerOf } from "../../../verify/rooms/room-setup.ts";
import type { BudgetLimits } from "../budget.ts";
import { noticeOf } from "../merge/target-notice.ts";
import { type AheadRequest, type TasksAhead, tasksAhead } from "./tasks-ahead.ts";

/** What `ralph execute` would do. */
export interface ExecutionOutline extends TasksAhead {
  stages: readonly AgentRole[];
  /** The branch to merge into, where it is checked out, and what that means for merges. */
  target: { branch: string; checkout: TargetCheckout | null; notice: string | null };
  maxParallel: number;
  limits: AheadRequest["limits"] & BudgetLimits;
  /** The agents of each stage, in order of preference. */
  agents: Readonly<Partial<Record<AgentRole, readonly AgentPlan[]>>>;
  /** The command that sets up each worktree and its folder in it; null if there is none. */
  setUp: { command: string; folder: string } | null;
  guardrails: readonly string[];
  /** What prevents the execution from starting. */
  problems: readonly Problem[];
}

interface OutlineRequest extends AheadRequest {
  target: string;
  maxParallel: number;
  maxMs: number | null;
}

/** Describes an execution without starting or writing anything. */
export async function planExecution(request: OutlineRequest): Promise<ExecutionOutline> {
  const { settings, stages, cwd, target, maxParallel, limits, maxCostUsd, maxMs } = request;
  const agents: Partial<Record<AgentRole, AgentPlan[]>> = {};
  for (const place of stages) agents[place] = await Promise.all(settings.agents[place].map(planAgent));
  const problems = new Map<string, Problem>();
  for (const place of stages)
    for (const agent of settings.agents[place])
      for (const problem of agentProblems(agent, cwd)) problems.set(problem.message, problem);
  const checkout = await targetCheckout(cwd, target);
  return {
    ...(await tasksAhead(request)),
    ...{ stages, maxParallel, agents },
    target: { branch: target, checkout, notice: noticeOf(cwd, target, checkout) },
    limits: { ...limits, maxCostUsd, maxMs },
    setUp: setUpIn(request),
    guardrails: (settings.all.guardrails ?? []).map(({ command }) => command),
    problems: [...problems.values()],
  };
}

/** What `makeReady` runs in a worktree with the files of this checkout. */
function setUpIn({ settings, cwd }: OutlineRequest): ExecutionOutline["setUp"] {
  const root = checkoutRoot(cwd) ?? cwd;
  const own = settings.ralph.worktree?.setup;
  if (own !== undefined) return { command: own, folder: relative(root, cwd) };
  const found = installerOf(cwd, root);
  return found && { command: found.command, folder: relative(root, found.folder) };
}
