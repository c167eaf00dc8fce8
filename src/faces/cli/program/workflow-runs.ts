import type { Command } from "commander";
import type { Action } from "./action.ts";
import { nonEmptyText, wholeNumberArgument } from "./arguments.ts";
import { RUNS_COMMAND, WORKFLOWS_COMMAND } from "./well-known.ts";

const WHICH_RUN = "its id, the beginning of one, or `last`";

/** Declares what runs workflows, and what looks after their runs. */
export function addWorkflowRuns(workflow: Command, action: Action): void {
  workflow
    .command("run")
    .description("run a workflow, one part after the other")
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
    .option("--settings <path>", "settings file (default .ralph/settings.json)", nonEmptyText)
    .option("--strict", "exit 1 if the proof of one of its loops is weaker than judged: still-green or promise-only")
    .optionsGroup("Output:")
    .option("--no-stream-agent-output", "do not show what the agent prints")
    .option("-q, --quiet", "print only the result")
    .option("--json", "print only events, as JSON Lines, as they happen")
    .addHelpText("after", RUN)
    .action(action(async () => (await import("../commands/workflow-run.ts")).workflowRunCommand));
  workflow
    .command("runs")
    .description("list the runs of workflows, newest first")
    .option("-n, --limit <n>", "how many", wholeNumberArgument, 20)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow runs --limit 5")
    .action(action(async () => (await import("../commands/workflow-runs.ts")).workflowRunsCommand));
  workflow
    .command("resume")
    .description("resume a run that was interrupted, or whose process died")
    .argument("[run]", WHICH_RUN, nonEmptyText, "last")
    .option("--strict", "exit 1 if the proof of one of its loops is weaker than judged: still-green or promise-only")
    .option("--no-stream-agent-output", "do not show what the agent prints")
    .option("-q, --quiet", "print only the result")
    .option("--json", "print only events, as JSON Lines, as they happen")
    .addHelpText("after", RESUME)
    .action(action(async () => (await import("../commands/workflow-resume.ts")).workflowResumeCommand));
}

/** Asked by completion scripts. */
export function addWorkflowNames(program: Command, action: Action): void {
  program
    .command(WORKFLOWS_COMMAND, { hidden: true })
    .action(action(async () => (await import("../commands/workflow-names.ts")).workflowNamesCommand));
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
