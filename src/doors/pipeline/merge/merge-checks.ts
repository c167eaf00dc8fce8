import { cut } from "../../../core/excerpt.ts";
import type { CheckResult } from "../../../core/loop/events.ts";
import { guardrailsOf } from "../../../core/loop/from-settings.ts";
import { commandStage, isCommand } from "../../../core/proof/methods/external.ts";
import { type Stage, uniquelyNamed } from "../../../core/proof/proof.ts";
import type { TaskWork } from "../../../core/task/work.ts";
import { taskBlobs } from "../../../core/workspace.ts";
import { runExternal } from "../../../verify/methods/external.ts";
import { runStages, stageRunner } from "../../../verify/stages.ts";
import { folderIn, taskCheckSetting } from "../commands.ts";
import type { TaskContext } from "../context.ts";
import { dependencyChecks } from "../stage/dependency-checks.ts";
import { stageProof, taskChecks } from "../stage/proof.ts";

const MAX_PARALLEL = 4;
const EXCERPT_CHARS = 1_500;

/** Runs the checks of a task's stages and of its dependencies, and the guardrails, in its worktree. Null if stopped. */
export async function checkMerge(context: TaskContext, { worktree, target }: TaskWork) {
  const { ledger, settings, stages, cwd } = context;
  const guardrails = guardrailsOf(settings.all).map(({ command, timeoutMs }) => ({
    ...commandStage(command),
    timeoutMs,
  }));
  const own = [...taskChecks(ledger.task, settings.all, stages), ...guardrails];
  const needed = await dependencyChecks(context, worktree);
  const checks = uniquelyNamed([
    ...own,
    ...needed.map(({ check, of }) => ({ ...check, name: `${check.name} of ${of[0]}` })),
  ]);
  const owners = new Map(checks.slice(own.length).map(({ name }, i) => [name, needed[i]?.of ?? []]));
  const results = await runAll(context, { checks, owners, cwd: folderIn(worktree, cwd) });
  if (!results) return null;
  const isServed = stages.some((place) => stageProof(ledger.task, place, settings.all).proof.services);
  const words = (result: CheckResult) =>
    wordsOf(result, { target, of: owners.get(result.name) ?? [], note: isServed ? NO_SERVICES : "" });
  const textsOf = (is: CheckResult["is"]) => results.filter((result) => result.is === is).map(words);
  return { failing: textsOf("fail"), unknown: textsOf("unknown") };
}

interface Running {
  checks: readonly Stage[];
  /** The tasks that a check belongs to, by its name, if it is not the task's own. */
  owners: ReadonlyMap<string, readonly string[]>;
  cwd: string;
}

function runAll(context: TaskContext, { checks, owners, cwd }: Running): Promise<CheckResult[] | null> {
  const { ledger, workspace, view } = context;
  const { task, state } = ledger;
  const setting = taskCheckSetting(context, cwd);
  const blobs = taskBlobs(workspace, task.id);
  const run = stageRunner({
    stages: checks,
    log: (place) => blobs.write(`merge-${state.attempt}-${state.rounds}-${place}.log`),
    show: (command, result) => view.check({ task: task.id, place: "merge" }, "check", command, result),
    async run(leaf, at) {
      if (!isCommand(leaf)) return null;
      const [owner] = owners.get(leaf.name) ?? [];
      const env = owner === undefined ? setting.env : { ...setting.env, RALPH_TASK: owner };
      return runExternal.run(leaf, at, { setting: { ...setting, env } });
    },
  });
  return runStages(checks, { maxParallel: MAX_PARALLEL, run });
}

const NO_SERVICES =
  " (services that a turn left running have ended before the merge: a check that needs one must start it)";

interface Failing {
  target: string;
  of: readonly string[];
  note: string;
}

function wordsOf({ name, reason, excerpt }: CheckResult, { target, of, note }: Failing): string {
  const shown = excerpt.trim() ? `\n${cut(excerpt.trim(), EXCERPT_CHARS)}` : "";
  return `merged with the current ${target}, ${name} does not pass: ${reason}${of.length > 0 ? dependencyWords(of) : note}${shown}`;
}

const MOST_NAMED = 5;

/** The coder must keep the work of dependencies; only the user can change their checks. */
function dependencyWords(of: readonly string[]): string {
  const [first = ""] = of;
  const named = `${of.slice(0, MOST_NAMED).join(", ")}${of.length > MOST_NAMED ? ", …" : ""}`;
  return ` (a check of ${named}, which is already merged and must keep working; if it is meant to change, the user changes that check: \`ralph task update ${first} --help\`)`;
}
