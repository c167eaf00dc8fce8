import { printable } from "../../../core/ansi.ts";
import {
  listTaskWorktrees,
  type PrunedBranch,
  pruneTaskWorktrees,
  type WorktreeView,
} from "../../../doors/pipeline/tasks/task-worktrees.ts";
import type { Cli, JsonOption } from "../context.ts";

const NONE = "No task has a branch or a worktree here. `ralph execute` creates them.";

export async function listWorktreesCommand(cli: Cli, { json = false }: JsonOption): Promise<void> {
  const views = await listTaskWorktrees(cli.cwd());
  if (json) cli.printJson(views);
  else if (views.length === 0) cli.printLine(NONE);
  else {
    const heads = ["BRANCH", "TASK", "COMMITS", "UNCOMMITTED", "SET ASIDE", "WORKTREE"];
    const rows = views.map((view) => [
      printable(view.branch),
      taskWords(view),
      commitWords(view),
      view.uncommitted === 0 ? "-" : `${view.uncommitted}`,
      view.aside.length === 0 ? "-" : `${view.aside.length}`,
      view.worktree === null ? "-" : printable(view.worktree),
    ]);
    cli.printTable([heads, ...rows]);
  }
}

const taskWords = ({ status, driven }: WorktreeView): string =>
  status === null ? "no task" : `${status}${driven ? ", being worked on" : ""}`;

function commitWords({ head, ahead, merged, target }: WorktreeView): string {
  if (head === null) return "gone";
  if (target === null || ahead === null) return "?";
  return merged ? `merged into ${printable(target)}` : `${ahead} not in ${printable(target)}`;
}

interface PruneOptions {
  dryRun?: boolean;
  aside?: boolean;
  json?: boolean;
}

export async function pruneWorktreesCommand(cli: Cli, options: PruneOptions): Promise<void> {
  const { dryRun = false, aside = false, json = false } = options;
  const pruned = await pruneTaskWorktrees(cli.cwd(), { dryRun, aside });
  if (json) cli.printJson({ dryRun, branches: pruned });
  else if (pruned.length === 0) cli.printLine(NONE);
  else for (const branch of pruned) cli.printWords(pruneLine(branch, dryRun));
}

function pruneLine({ is, branch, worktree, why, aside }: PrunedBranch, dryRun: boolean): string {
  const name = printable(branch);
  if (is === "kept") return `kept: ${name}: ${printable(why ?? "")}`;
  const where = worktree === null ? "" : ` and ${printable(worktree)}`;
  const left = aside.length === 0 ? "" : `; what was set aside stays: ${aside.join(", ")}`;
  return `${dryRun ? "would be removed" : "removed"}: ${name}${where}${left}`;
}
