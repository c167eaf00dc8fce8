import type { Command } from "commander";
import type { Action } from "./action.ts";
import { wholeNumber, words } from "./arguments.ts";
import { RUNS_COMMAND, WORKFLOWS_COMMAND } from "./well-known.ts";

const WHICH_RUN = "its id, the beginning of one, or `last`";

/** Declares what runs workflows, and what looks after their runs. */
export function addWorkflowRuns(workflow: Command, action: Action): void {
  workflow
    .command("run")
    .description("run a workflow, one part after the other")
    .argument("<workflow>", "its name", words)
    .argument("[message]", "what you want of it: $USER_MESSAGE in its prompts; `-` reads standard input")
    .optionsGroup("Trying it out:")
    .option("--dry-run", "show what would be said and run; start and write nothing")
    .option("--rehearse", "walk it with the scripted agent in a copy of the repository that is removed afterwards")
    .optionsGroup("Agent:")
    .option("--agent <command>", "the agent, whatever the workflow says: a command, or `scripted`", words)
    .option(
      "--scenario <path>",
      "what the scripted agent plays: a file, or a folder with a <part>.yaml for each part",
      words,
    )
    .option("--settings <path>", "settings file (default .ralph/settings.json)", words)
    .option("--strict", "exit 1 where a loop of it is proven by less than a judge: still-green or promise-only")
    .optionsGroup("Output:")
    .option("--no-stream-agent-output", "do not show what the agent says")
    .option("-q, --quiet", "only say how it ended")
    .option("--json", "print every fact as it happens, as JSON Lines, and nothing else")
    .addHelpText("after", RUN)
    .action(action(async () => (await import("./commands/workflow-run.ts")).workflowRunCommand));
  workflow
    .command("runs")
    .description("the runs of workflows, newest first")
    .option("-n, --limit <n>", "how many", wholeNumber, 20)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph workflow runs --limit 5")
    .action(action(async () => (await import("./commands/workflow-runs.ts")).workflowRunsCommand));
  workflow
    .command("resume")
    .description("go on with a run that was interrupted, or whose process died")
    .argument("[run]", WHICH_RUN, words, "last")
    .option("--strict", "exit 1 where a loop of it is proven by less than a judge: still-green or promise-only")
    .option("--no-stream-agent-output", "do not show what the agent says")
    .option("-q, --quiet", "only say how it ended")
    .option("--json", "print every fact as it happens, as JSON Lines, and nothing else")
    .addHelpText("after", RESUME)
    .action(action(async () => (await import("./commands/workflow-resume.ts")).workflowResumeCommand));
}

/** Asked by completion scripts. */
export function addWorkflowNames(program: Command, action: Action): void {
  program
    .command(WORKFLOWS_COMMAND, { hidden: true })
    .action(action(async () => (await import("./commands/workflow-names.ts")).workflowNamesCommand));
  program
    .command(RUNS_COMMAND, { hidden: true })
    .action(action(async () => (await import("./commands/run-ids.ts")).runIdsCommand));
}

const RUN = `
A run's id works in ralph status, why, logs and cancel. Ctrl-C leaves it resumable.
--rehearse costs nothing and changes nothing of yours; commands of the workflow do run, in the copy.

Examples:
  ralph workflow run ralph "All stories, please"
  ralph workflow run ralph "All stories, please" --dry-run
  ralph workflow run ralph "All stories, please" --rehearse
  ralph workflow run ralph - < wish.md
  ralph workflow run ralph "Try it" --agent scripted --scenario scenarios/ralph

Exit codes: 0 completed · 1 failed, or waits for you · 2 usage or configuration error · 130 interrupted or cancelled`;

const RESUME = `
Examples:
  ralph workflow resume
  ralph workflow resume 3f2a

Exit codes: 0 completed · 1 failed, or waits for you · 2 usage or configuration error · 130 interrupted or cancelled`;
