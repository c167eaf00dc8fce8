import { type Command, InvalidArgumentError } from "commander";
import { AGENT_ROLES, type AgentRole } from "../../core/task/role.ts";
import type { Action } from "./action.ts";
import { dollars, repeated, seconds, wholeNumber, words } from "./arguments.ts";

/** Declares `ralph execute`. */
export function addExecute(program: Command, action: Action): void {
  program
    .command("execute")
    .description("take up ready tasks and bring each one home: coder → reviewer → tester → qa → merged")
    .optionsGroup("Which:")
    .option("--spec <id>", "only the tasks of this spec", words)
    .option("--task <id>", "only this task, also where it is held or blocked", words)
    .option("--stages <list>", `the stages, of ${AGENT_ROLES.join(",")} (default: all)`, stages)
    .option("--target <branch>", "merge into this branch (default: the one that is checked out)", words)
    .option("--max-parallel <n>", "so many tasks at once (default 6)", wholeNumber)
    .option("--strict", "exit 1 where a merged task is proven by less than a judge: still-green or promise-only")
    .option("--accept-changes", "take changes of tasks, specs and settings at once, not from the next start on")
    .optionsGroup("Agent:")
    .option("--agent <command>", "the agent, where the settings name none for a stage (repeatable)", repeated)
    .option("--scenario <file>", "what the scripted agent plays", words)
    .option("--settings <path>", "settings file (default .ralph/settings.json)", words)
    .optionsGroup("Budget:")
    .option("--max-cost <usd>", "stop everything when so many dollars are spent", dollars)
    .option("--max-duration <time>", "stop everything after so long, such as 90s, 5m, 2h", seconds)
    .optionsGroup("Output:")
    .option("-q, --quiet", "only say how it ended")
    .option("--json", "print every fact as it happens, as JSON Lines, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(action(async () => (await import("./commands/execute.ts")).executeCommand));
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
Each task gets a worktree and a branch task/<id> of its own; what is proven is merged, one task at a time, and only after
its checks have passed on the result. What was interrupted goes on with the next \`ralph execute\`.

Examples:
  ralph execute
  ralph execute --spec auth-feature --max-parallel 3 --max-cost 20
  ralph execute --task TASK-001 --stages coder,tester --agent claude
  ralph execute --json > execution.jsonl

Exit codes: 0 all done (with --strict: judged or better) · 1 some are not · 2 usage or configuration error · 130 interrupted`;
