import type { Command } from "commander";
import { type Action, add } from "./action.ts";

export function addWorktrees(program: Command, action: Action): void {
  const worktrees = add(program, "worktrees", "list and remove the branches and worktrees of tasks").addHelpText(
    "after",
    "\nExamples:\n  ralph worktrees list\n  ralph worktrees prune --dry-run",
  );
  worktrees
    .command("list", { isDefault: true })
    .description("list every branch task/*, whether it is merged, and whether it is in use")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph worktrees list --json")
    .action(action(async () => (await import("../commands/worktrees.ts")).listWorktreesCommand));
  add(worktrees, "prune", "remove worktrees and branches of finished tasks whose every commit is in the target")
    .option("--dry-run", "show what would be removed, and why the rest is kept")
    .option("--aside", "also delete their set-aside work (refs/ralph/aside/…)")
    .option("--json", "as JSON")
    .addHelpText("after", PRUNE_HELP)
    .action(action(async () => (await import("../commands/worktrees.ts")).pruneWorktreesCommand));
}

const PRUNE_HELP = `
Never removed: commits that the target does not have, uncommitted files, worktrees in use, and branches that belong to no
task. Ignored files are removed with their worktree.

Examples:
  ralph worktrees prune --dry-run
  ralph worktrees prune --aside`;
