import { Argument, type Command, InvalidArgumentError } from "commander";
import { AGENT_ROLES, type AgentRole } from "../../../core/task/role.ts";
import { type Action, add } from "./action.ts";
import { withAgentOptions } from "./agent-options.ts";
import { dollarAmount, idList, nonEmptyText, repeated, wholeNumberArgument } from "./arguments.ts";
import { durationOption } from "./duration-option.ts";

export function addExecute(program: Command, action: Action): void {
  const execute = add(
    program,
    "execute",
    "run ready tasks through every stage and merge them: coder → reviewer → tester → qa → merged",
  )
    .addArgument(new Argument("[task...]", "only these tasks, even if held or blocked").argParser(idList))
    .optionsGroup("Which:")
    .option("--spec <id>", "only the tasks of this spec", nonEmptyText)
    .option("--task <id>", "only this task, like the argument (repeatable, or separated by commas)", idList)
    .option("--stages <list>", `the stages, of ${AGENT_ROLES.join(",")} (default: all)`, stages)
    .option("--target <branch>", "merge into this branch (default: the one that is checked out)", nonEmptyText)
    .option("--max-parallel <n>", "maximum number of tasks at once (default 6)", wholeNumberArgument)
    .option(
      "--strict",
      "refuse changed expected results and new suppressions; exit 1 if a merged task is proven weaker than judged",
    )
    .option("--restart", "interrupted tasks begin again with the settings of now; their branches stay")
    .option("--accept-changes", "apply changes of tasks, specs and settings now, not at the next start")
    .optionsGroup("Agent:")
    .option("--agent <command>", "the agent for stages without one in the settings (repeatable)", repeated)
    .option("--scenario <file>", "what the scripted agent plays", nonEmptyText)
    .option("--settings <path>", "settings file (default .ralph/settings.json)", nonEmptyText);
  withAgentOptions(execute, "[task...]")
    .optionsGroup("Budget:")
    .option("--max-cost <usd>", "maximum cost of everything in dollars", dollarAmount)
    .addOption(durationOption("--max-duration <time>", "maximum duration of everything, such as 90s, 5m or 2h"))
    .optionsGroup("Output:")
    .option("--dry-run", "show what would run, in which order, how often and where it is merged; start nothing")
    .option("--board", "open the board; q closes it, and the execution continues")
    .option("-q, --quiet", "print only the result")
    .option("--json", "print only events, as JSON Lines, as they happen")
    .addHelpText("after", EXAMPLES)
    .action(action(async () => (await import("../commands/execute.ts")).executeCommand));
}

/** Roles in the order of the pipeline, whatever the order they are given in. */
function stages(text: string): AgentRole[] {
  const given = text.split(",").map((word) => word.trim());
  const unknown = given.find((word) => !AGENT_ROLES.some((role) => role === word));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`Expected some of ${AGENT_ROLES.join(", ")}, such as coder,tester; got ${unknown}.`);
  }
  return AGENT_ROLES.filter((role) => given.includes(role));
}

const EXAMPLES = `
Each task gets its own worktree and branch task/<id>. Proven tasks are merged one at a time, and only after their checks
pass on the merged result. The next \`ralph execute\` resumes interrupted tasks.

Examples:
  ralph execute --dry-run
  ralph execute
  ralph execute --spec auth-feature --max-parallel 3 --max-cost 20
  ralph execute TASK-001 TASK-002
  ralph execute --board
  ralph execute TASK-001 --stages coder,tester --agent claude
  ralph execute --json > execution.jsonl

Exit codes: 0 all done (with --strict: judged or better) · 1 some are not · 2 usage or configuration error · 130 interrupted`;

export function addWorktrees(program: Command, action: Action): void {
  const worktrees = add(program, "worktrees", "list and remove the branches and worktrees of tasks and loops");
  worktrees.addHelpText("after", "\nExamples:\n  ralph worktrees list\n  ralph worktrees prune --dry-run");
  worktrees
    .command("list", { isDefault: true })
    .description("list every branch task/* and ralph/*, whether it is merged, and whether it is in use")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph worktrees list --json")
    .action(action(async () => (await import("../commands/worktrees.ts")).listWorktreesCommand));
  add(
    worktrees,
    "prune",
    "remove worktrees and branches of finished tasks and stopped loops whose every commit is in the target",
  )
    .option("--dry-run", "show what would be removed, and why the rest is kept")
    .option("--aside", "also delete their set-aside work (refs/ralph/aside/…)")
    .option("--json", "as JSON")
    .addHelpText("after", PRUNE_HELP)
    .action(action(async () => (await import("../commands/worktrees.ts")).pruneWorktreesCommand));
}

const PRUNE_HELP = `
Never removed: commits that the target does not have, uncommitted files, worktrees in use, and branches that belong to no
task or loop. Ignored files are removed with their worktree.

Examples:
  ralph worktrees prune --dry-run
  ralph worktrees prune --aside`;
