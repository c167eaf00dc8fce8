import type { Command } from "commander";
import type { Action } from "./action.ts";

/** Declares `ralph worktrees`. */
export function addWorktrees(program: Command, action: Action): void {
  const worktrees = program
    .command("worktrees")
    .description("the branches and worktrees of tasks: what is in them, and what can go")
    .addHelpText("after", "\nExamples:\n  ralph worktrees list\n  ralph worktrees prune --dry-run");
  worktrees
    .command("list", { isDefault: true })
    .description("every branch task/*, what of it is merged, and who works on it")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph worktrees list --json")
    .action(action(async () => (await import("./commands/worktrees.ts")).listWorktreesCommand));
  worktrees
    .command("prune")
    .description("remove worktrees and branches of finished tasks whose every commit is in the target")
    .option("--dry-run", "only say what would be removed, and why the rest stays")
    .option("--aside", "delete what was set aside of them too (refs/ralph/aside/…)")
    .option("--json", "as JSON")
    .addHelpText("after", PRUNE_HELP)
    .action(action(async () => (await import("./commands/worktrees.ts")).pruneWorktreesCommand));
}

const PRUNE_HELP = `
Kept, whatever happens: commits that the target does not have, files that nobody has committed, what somebody works on,
and branches that belong to no task. Ignored files go with the worktree they are in.

Examples:
  ralph worktrees prune --dry-run
  ralph worktrees prune --aside`;
