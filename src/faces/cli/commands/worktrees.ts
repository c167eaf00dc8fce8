import { printable } from "../../../core/ansi.ts";
import {
  type LoopWorktreeView,
  listLoopWorktrees,
  type PrunedLoop,
  pruneLoopWorktrees,
} from "../../../doors/harness/loop-worktrees.ts";
import {
  listTaskWorktrees,
  type PrunedBranch,
  pruneTaskWorktrees,
  type WorktreeView,
} from "../../../doors/pipeline/tasks/task-worktrees.ts";
import type { Cli, JsonOption } from "../context.ts";

const NONE = "No task or loop has a branch or a worktree here. `ralph execute` and `ralph run --worktree` create them.";

type View = WorktreeView | LoopWorktreeView;

export async function listWorktreesCommand(cli: Cli, { json = false }: JsonOption): Promise<void> {
  const views: View[] = [...(await listTaskWorktrees(cli.cwd())), ...(await listLoopWorktrees(cli.cwd()))];
  if (json) cli.printJson(views);
  else if (views.length === 0) cli.printLine(NONE);
  else {
    const heads = ["BRANCH", "STATE", "COMMITS", "UNCOMMITTED", "SET ASIDE", "WORKTREE"];
    const rows = views.map((view) => [
      printable(view.branch),
      stateWords(view),
      commitWords(view),
      view.uncommitted === 0 ? "-" : `${view.uncommitted}`,
      view.aside.length === 0 ? "-" : `${view.aside.length}`,
      view.worktree === null ? "-" : printable(view.worktree),
    ]);
    cli.printTable([heads, ...rows]);
  }
}

const stateWords = (view: View): string =>
  view.status === null
    ? `no ${"loop" in view ? "loop" : "task"}`
    : `${view.status}${view.driven ? ", being worked on" : ""}`;

function commitWords({ head, ahead, merged, target }: View): string {
  if (head === null) return "gone";
  if (target === null || ahead === null) return "?";
  if (ahead === 0) return merged ? `merged into ${printable(target)}` : "no commits";
  return `${ahead} not in ${printable(target)}`;
}

interface PruneOptions {
  dryRun?: boolean;
  aside?: boolean;
  json?: boolean;
}

export async function pruneWorktreesCommand(cli: Cli, options: PruneOptions): Promise<void> {
  const { dryRun = false, aside = false, json = false } = options;
  const how = { dryRun, aside };
  const pruned = [...(await pruneTaskWorktrees(cli.cwd(), how)), ...(await pruneLoopWorktrees(cli.cwd(), how))];
  if (json) cli.printJson({ dryRun, branches: pruned });
  else if (pruned.length === 0) cli.printLine(NONE);
  else for (const branch of pruned) cli.printWords(pruneLine(branch, dryRun));
}

function pruneLine({ is, branch, worktree, why, aside }: PrunedBranch | PrunedLoop, dryRun: boolean): string {
  const name = printable(branch);
  if (is === "kept") return `kept: ${name}: ${printable(why ?? "")}`;
  const where = worktree === null ? "" : ` and ${printable(worktree)}`;
  const left = aside.length === 0 ? "" : `; what was set aside stays: ${aside.join(", ")}`;
  return `${dryRun ? "would be removed" : "removed"}: ${name}${where}${left}`;
}
