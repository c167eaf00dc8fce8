import { join } from "node:path";
import { cut } from "../../core/excerpt.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { commandStage, uniquelyNamed } from "../../core/proof/commands.ts";
import type { TaskWork } from "../../core/task/events.ts";
import { taskChecks } from "../../pipeline/proof.ts";
import { runCheck } from "../../verify/check.ts";
import { runStages } from "../../verify/stages.ts";
import { commandsIn, folderIn } from "./commands.ts";
import type { TaskContext } from "./context.ts";

const MAX_PARALLEL = 4;
const EXCERPT_CHARS = 1_500;

/** What the checks on a merge say, in words for the coder. */
export interface MergeFindings {
  failing: readonly string[];
  unknown: readonly string[];
}

/** Runs all that a task's stages need to pass, and the guardrails, on what is in its worktree. Null: stopped on the way. */
export async function checkMerge(context: TaskContext, { worktree, target }: TaskWork): Promise<MergeFindings | null> {
  const { ledger, settings, stages, workspace, cwd, view } = context;
  const { task, state } = ledger;
  const setting = commandsIn(context, folderIn(worktree, cwd));
  const folder = workspace.folder.task(task.id);
  const guardrails = (settings.all.guardrails ?? []).map(({ command, timeout }) =>
    commandStage(command, timeout ?? settings.all.checkTimeout),
  );
  const checks = uniquelyNamed([...taskChecks(task, settings.all, stages), ...guardrails]);
  const places = new Map(checks.map(({ name }, i) => [name, i + 1]));
  const results = await runStages(checks, {
    maxParallel: MAX_PARALLEL,
    async run(leaf) {
      if (leaf.method !== "external") return null;
      const place = places.get(leaf.name) ?? 0;
      const log = join(folder, `merge-${state.attempt}-${state.rounds}-${place}.log`);
      view.check({ task: task.id, place: "merge" }, "check", leaf.command, null);
      const result = await runCheck(leaf, log, { ...setting, token: `${setting.token}/${place}/` });
      if (result) view.check({ task: task.id, place: "merge" }, "check", leaf.command, result);
      return result;
    },
  });
  if (!results) return null;
  const told = (is: CheckResult["is"]) =>
    results.filter((result) => result.is === is).map((result) => wordsOf(result, target));
  return { failing: told("fail"), unknown: told("unknown") };
}

const wordsOf = ({ name, reason, excerpt }: CheckResult, target: string): string =>
  `with what ${target} has by now, ${name} does not pass: ${reason}${excerpt.trim() ? `\n${cut(excerpt.trim(), EXCERPT_CHARS)}` : ""}`;
