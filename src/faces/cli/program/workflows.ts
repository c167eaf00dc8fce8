import type { Command } from "commander";
import type { Action } from "./action.ts";
import { nonEmptyText } from "./arguments.ts";
import { addWorkflowNames, addWorkflowRuns } from "./workflow-runs.ts";

/** The commands about workflows. What a command does is loaded only when it runs. */
export function addWorkflowCommands(program: Command, action: Action): void {
  const workflow = program
    .command("workflow")
    .description("workflows: steps or a loop, written in YAML")
    .addHelpText("after", EXAMPLES);
  addLooks(workflow, action);
  addWorkflowRuns(workflow, action);
  addWorkflowNames(program, action);
}

function addLooks(workflow: Command, action: Action): void {
  workflow
    .command("list")
    .description("list the workflows of this repository, and what starts them")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow list")
    .action(action(async () => (await import("../commands/workflow-list.ts")).workflowListCommand));
  workflow
    .command("show")
    .description("show a workflow: its parts, their prompts and checks")
    .argument("<workflow>", "its name", nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow show ralph")
    .action(action(async () => (await import("../commands/workflow-show.ts")).workflowShowCommand));
  workflow
    .command("validate")
    .description("report faults in workflows: file, line, column, key and a hint")
    .argument("[file...]", "only these files (default: all workflows of this repository)")
    .option("--json", "as JSON")
    .addHelpText("after", VALIDATE)
    .action(action(async () => (await import("../commands/workflow-validate.ts")).workflowValidateCommand));
}

const EXAMPLES = `
They are read from .ralph/workflows/*.yaml and .archon/workflows/.

Examples:
  ralph workflow list
  ralph workflow show ralph
  ralph workflow validate`;

const VALIDATE = `
Examples:
  ralph workflow validate
  ralph workflow validate .ralph/workflows/ralph.yaml --json

Exit codes: 0 all valid · 1 one is not valid · 2 usage: no such file`;
