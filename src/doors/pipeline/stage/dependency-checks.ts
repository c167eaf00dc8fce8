import { join, resolve } from "node:path";
import { textAt } from "../../../adapters/io/look.ts";
import { RalphError } from "../../../core/errors.ts";
import type { CommandLeaf } from "../../../core/proof/methods/external.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import { usedBy } from "../../../verify/tamper/referenced-files.ts";
import { folderIn } from "../commands.ts";
import { type TaskContext, workOf } from "../context.ts";
import { FIELD, sameAs, taskChecks } from "./proof.ts";

/** A command that merged tasks had to pass. */
interface NeededCheck {
  check: CommandLeaf;
  /** The tasks it belongs to, nearest dependency first. */
  of: readonly string[];
}

/** The pinned commands of all direct and indirect dependencies that are done: each once, without the task's own. */
export async function dependencyChecks(
  context: TaskContext,
  worktree = workOf(context).worktree,
): Promise<NeededCheck[]> {
  const { ledger, settings, stages } = context;
  const root = folderIn(worktree, context.cwd);
  const keyOf = (check: CommandLeaf) => sameAs(check, namesTask(check, root));
  const own = new Set(taskChecks(ledger.task, settings.all, stages).map(keyOf));
  const found = new Map<string, NeededCheck>();
  for (const { task, state } of await mergedBelow(context)) {
    for (const check of checksOf(context, { task, state })) {
      const key = keyOf(check);
      if (own.has(key)) continue;
      const known = found.get(key);
      const timeoutMs = Math.max(check.timeoutMs, known?.check.timeoutMs ?? 0);
      const of = known ? [...known.of, ...(known.of.includes(task.id) ? [] : [task.id])] : [task.id];
      found.set(key, { check: { ...(known?.check ?? check), timeoutMs }, of });
    }
  }
  return [...found.values()];
}

type Done = Pick<LoadedTask, "task" | "state">;

/** All direct and indirect dependencies that are done, nearest first. */
async function mergedBelow({ workspace, ledger, pins }: TaskContext): Promise<Done[]> {
  const seen = new Set([ledger.task.id]);
  const done: Done[] = [];
  let next: readonly string[] = ledger.task.dependencies;
  while (next.length > 0) {
    const below: string[] = [];
    for (const id of next) {
      if (seen.has(id)) continue;
      seen.add(id);
      const { task: row, state } = await workspace.tasks.load(id);
      const task = pins.pinned(row);
      if (state.status === "done") done.push({ task, state });
      below.push(...task.dependencies);
    }
    next = below;
  }
  return done;
}

/** Adds the task's id to errors: its criteria may have been changed and no longer be valid. */
function checksOf({ settings }: TaskContext, { task, state }: Done): CommandLeaf[] {
  try {
    return taskChecks(task, settings.all, state.stages);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw error.with({ message: `the criteria of its dependency ${task.id}: ${error.message}` });
  }
}

/** Whether a command or its script uses its task's variables: then it is another check for each task. */
function namesTask({ command, workingDir }: CommandLeaf, root: string): boolean {
  if (command.includes(FIELD)) return true;
  const { files, commands } = usedBy([{ command, dir: resolve(root, workingDir) }], root);
  return (
    commands.some(({ words }) => words.some((word) => word.includes(FIELD))) ||
    [...files].some((file) => textAt(join(root, file)).includes(FIELD))
  );
}
