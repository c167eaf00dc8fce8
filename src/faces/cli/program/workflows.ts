import type { Command } from "commander";
import { type Action, add } from "./action.ts";
import { withAgentOptions } from "./agent-options.ts";
import { nonEmptyText, wholeNumberArgument } from "./arguments.ts";
import { RUNS_COMMAND, WORKFLOWS_COMMAND } from "./well-known.ts";

/** The workflow commands. */
export function addWorkflowCommands(program: Command, action: Action): void {
  const workflow = add(program, "workflow", "workflows: steps or a loop, written in YAML");
  workflow.addHelpText("after", EXAMPLES);
  addLooks(workflow, action);
  addWorkflowRuns(workflow, action);
  addWorkflowNames(program, action);
}

function addLooks(workflow: Command, action: Action): void {
  add(workflow, "list", "list the workflows of this repository, and what starts them")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow list")
    .action(action(async () => (await import("../commands/workflow-list.ts")).workflowListCommand));
  add(workflow, "show", "show a workflow: its parts, their prompts and checks")
    .argument("<workflow>", "its name", nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow show ralph")
    .action(action(async () => (await import("../commands/workflow-list.ts")).workflowShowCommand));
  add(workflow, "validate", "report faults in workflows: file, line, column, key and a hint")
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

const WHICH_RUN = "its id, the beginning of one, or `last`";

function addWorkflowRuns(workflow: Command, action: Action): void {
  const run = add(workflow, "run", "run a workflow, one part after the other")
    .argument("<workflow>", "its name", nonEmptyText)
    .argument("[message]", "your message: $USER_MESSAGE in its prompts; `-` reads standard input")
    .optionsGroup("Trying it out:")
    .option("--dry-run", "show what would run, with the prompts; start and write nothing")
    .option("--rehearse", "run it with the scripted agent in a temporary copy of the repository")
    .optionsGroup("Agent:")
    .option("--agent <command>", "the agent, instead of the workflow's: a command, or `scripted`", nonEmptyText)
    .option(
      "--scenario <path>",
      "what the scripted agent plays: a file, or a folder with a <part>.yaml for each part",
      nonEmptyText,
    )
    .option("--settings <path>", "settings file (default .ralph/settings.json)", nonEmptyText);
  withAgentOptions(run, "<workflow> [message]")
    .option("--strict", "exit 1 if the proof of one of its loops is weaker than judged: still-green or promise-only")
    .option("--force", "run also if a loop is working in the same checkout")
    .optionsGroup("Output:")
    .option("--no-stream-agent-output", "do not show what the agent prints")
    .option("-q, --quiet", "print only the result")
    .option("--json", "print only events, as JSON Lines, as they happen")
    .addHelpText("after", RUN)
    .action(action(async () => (await import("../commands/workflow-run.ts")).workflowRunCommand));
  add(workflow, "runs", "list the runs of workflows, newest first")
    .option("-n, --limit <n>", "how many", wholeNumberArgument, 20)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow runs --limit 5")
    .action(action(async () => (await import("../commands/workflow-runs.ts")).workflowRunsCommand));
  add(workflow, "resume", "resume a run that was interrupted, or whose process died")
    .argument("[run]", WHICH_RUN, nonEmptyText, "last")
    .option("--strict", "exit 1 if the proof of one of its loops is weaker than judged: still-green or promise-only")
    .option("--force", "run also if a loop is working in the same checkout")
    .option("--no-stream-agent-output", "do not show what the agent prints")
    .option("-q, --quiet", "print only the result")
    .option("--json", "print only events, as JSON Lines, as they happen")
    .addHelpText("after", RESUME)
    .action(action(async () => (await import("../commands/workflow-resume.ts")).workflowResumeCommand));
}

function addWorkflowNames(program: Command, action: Action): void {
  program
    .command(WORKFLOWS_COMMAND, { hidden: true })
    .action(action(async () => (await import("../commands/workflow-list.ts")).workflowNamesCommand));
  program
    .command(RUNS_COMMAND, { hidden: true })
    .action(action(async () => (await import("../commands/completion-ids.ts")).runIdsCommand));
}

const RUN = `
A run's id works in ralph status, why, logs and cancel. Ctrl-C leaves it resumable.
--rehearse is free and changes none of your files; commands of the workflow do run, in the copy.

Examples:
  ralph workflow run ralph "All stories, please"
  ralph workflow run ralph "All stories, please" --dry-run
  ralph workflow run ralph "All stories, please" --rehearse
  ralph workflow run ralph - < request.md
  ralph workflow run ralph "Try it" --agent scripted --scenario scenarios/ralph

Exit codes: 0 completed · 1 failed, or waits for you · 2 usage or configuration error · 130 interrupted or cancelled`;

const RESUME = `
Examples:
  ralph workflow resume
  ralph workflow resume 3f2a

Exit codes: 0 completed · 1 failed, or waits for you · 2 usage or configuration error · 130 interrupted or cancelled`;
