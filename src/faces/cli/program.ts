import { Argument, Command, Option, type OutputConfiguration } from "commander";
import { VERSION } from "../../core/version.ts";
import type { Action } from "./action.ts";
import { dollars, repeated, seconds, wholeNumber, wholeNumberOrOff, words } from "./arguments.ts";
import { addDiff } from "./diff-command.ts";
import { addExecute } from "./execute-command.ts";
import { addHookCommands } from "./hook-command.ts";
import { addServe } from "./serve-command.ts";
import { addStats } from "./stats-command.ts";
import { addTaskCommands } from "./task-commands.ts";
import { LOOPS_COMMAND } from "./well-known.ts";
import { addWorkflowCommands } from "./workflow-command.ts";
import { addWorktrees } from "./worktree-options.ts";

/** Every command of the CLI. What a command does is loaded only when it runs. */
export function buildProgram(action: Action, output: OutputConfiguration = {}): Command {
  const program = new Command("ralph")
    .description("Run a coding agent in a loop until its work is proven done.")
    .version(VERSION, "-V, --version")
    .exitOverride()
    // Thrown as well: `runCli` reports every error in one way.
    .configureOutput({ ...output, outputError: () => undefined })
    .showSuggestionAfterError();
  addRun(program, action);
  addResume(program, action);
  addExecute(program, action);
  addViews(program, action);
  addDiff(program, action);
  addBacktest(program, action);
  addStats(program, action);
  addReceipts(program, action);
  addWorktrees(program, action);
  addRest(program, action);
  addServe(program, action);
  addTaskCommands(program, action);
  addWorkflowCommands(program, action);
  addHookCommands(program, action);
  addSetup(program, action);
  return program;
}

const WHICH_LOOP = "its id, the beginning of one, or `last`";
const WHICH_WORK = `${WHICH_LOOP}; or the id of a task, or of a workflow's run`;

/** A new loop has defaults; one that is resumed keeps what it had. */
const withLimits = (command: Command, byDefault: (value: number) => string): Command =>
  command
    .optionsGroup("Limits:")
    .option("-m, --max-iterations <n>", `stop after so many iterations${byDefault(10)}`, wholeNumber)
    .option("--maximum-iterations <n>", "the same", wholeNumber)
    .option("--max-cost <usd>", "stop when so many dollars are spent", dollars)
    .option("--max-tokens <n>", "stop when so many tokens are used", wholeNumber)
    .option("--timeout <time>", "stop after so much working time, such as 90s, 5m, 2h", seconds)
    .option(
      "--stuck-after <n>",
      `stop after so many iterations without anything new, 0: never${byDefault(5)}`,
      wholeNumberOrOff,
    );

const withOutput = (command: Command): Command =>
  command
    .optionsGroup("Output:")
    .option("--no-stream-agent-output", "do not show what the agent prints")
    .option("--stream-agent-output", "show what the agent prints (the default)")
    .option("--raw", "show the agent's output as it prints it, not made readable")
    .option("-q, --quiet", "only say how it ended")
    .option("--json", "print every entry of the journal as it is made, as JSON Lines, and nothing else");

function addRun(program: Command, action: Action): void {
  const run = program
    .command("run")
    .description("run an agent until its claim is verified")
    .optionsGroup("Task:")
    .option("--prompt <text>", "what the agent is to do")
    .option("--prompt-file <path>", "a file with the prompt, read anew for every iteration", words)
    .option("--verify <command>", "must exit 0 for a claim to count (repeatable)", repeated)
    .option("--strict", "exit 1 where the completion is weaker than judged: still-green or promise-only")
    .option("--missing-ok", "what a check's command names may be absent: the agent is to create it")
    .option("-c, --completion-response <text>", "the text of the completion tag (default DONE)", words)
    .option("--settings <path>", "settings file (default .ralph/settings.json)", words)
    .option("--dry-run", "show what would be run, with the whole prompt; start and write nothing")
    .option("--resume <loop>", "go on with a loop: the same as `ralph resume`", words)
    .optionsGroup("Agent:")
    .option(
      "--agent <command>",
      "the agent: a command, or `scripted` (repeatable: the next takes over while one is limited)",
      repeated,
    )
    .option("--scenario <file>", "what the scripted agent plays", words)
    .addOption(
      new Option("--context <mode>", "fresh: every iteration in a new session; continue: in the same one").choices([
        "fresh",
        "continue",
      ]),
    )
    .option("--iteration-timeout <time>", "end an iteration after so long (default 60m)", seconds)
    .option("--idle-timeout <time>", "end an iteration after so much silence (default 20m)", seconds);
  withOutput(withLimits(run, (value) => ` (default ${value})`))
    .addHelpText("after", RUN_EXAMPLES)
    .action(action(async () => (await import("./commands/run.ts")).runCommand));
}

const RUN_EXAMPLES = `
Examples:
  ralph run --prompt "Make the tests pass" --verify "npm test"
  ralph run --prompt-file task.md --agent claude -m 20 --verify "npm test" --verify "npm run lint"
  ralph run --prompt-file task.md --agent claude --verify "npm test" --dry-run
  ralph run --prompt "Try it" --agent scripted --scenario rehearsal.yaml

Exit codes: 0 complete (with --strict: judged or better) · 1 stopped without completion · 2 usage or configuration error · 130 interrupted`;

function addResume(program: Command, action: Action): void {
  const resume = program
    .command("resume")
    .description("go on with a loop that stopped, or whose process died")
    .argument("[loop]", WHICH_LOOP, words, "last")
    .option("--accept-changes", "protected files were changed by you: take them as they are");
  withOutput(withLimits(resume, () => ""))
    .addHelpText("after", "\nExamples:\n  ralph resume\n  ralph resume 3f2a -m 20")
    .action(action(async () => (await import("./commands/run.ts")).resumeCommand));
}

function addViews(program: Command, action: Action): void {
  program
    .command("status")
    .description("what is running now, or everything about one loop or run")
    .argument("[loop]", WHICH_WORK, words)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph status\n  ralph status last --json\n  ralph status TASK-001")
    .action(action(async () => (await import("./commands/status.ts")).statusCommand));
  program
    .command("list")
    .description("the loops of this repository, newest first")
    .option("-n, --limit <n>", "how many", wholeNumber, 20)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph list --limit 5")
    .action(action(async () => (await import("./commands/list.ts")).listCommand));
  program
    .command("logs")
    .description("what the agent printed")
    .argument("[loop]", WHICH_WORK, words, "last")
    .option("-f, --follow", "go on until the loop stops")
    .option("--iteration <n>", "only that iteration", wholeNumber)
    .option("--raw", "as the agent printed it, not made readable")
    .option("--json", "as JSON Lines: iteration, attempt and text")
    .addHelpText("after", "\nExamples:\n  ralph logs -f\n  ralph logs 3f2a --iteration 2")
    .action(action(async () => (await import("./commands/logs.ts")).logsCommand));
  program
    .command("why")
    .description("why a loop stopped, or goes on: every claim, verdict and decision")
    .argument("[loop]", WHICH_WORK, words, "last")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph why last\n  ralph why TASK-001")
    .action(action(async () => (await import("./commands/why.ts")).whyCommand));
}

function addBacktest(program: Command, action: Action): void {
  const backtest = program
    .command("backtest")
    .description("what other limits would have made of the loops so far")
    .argument("[loop...]", `only these: ${WHICH_LOOP}`, repeated)
    .option("--json", "as JSON");
  withLimits(backtest, () => "")
    .addHelpText("after", BACKTEST_EXAMPLES)
    .action(action(async () => (await import("./commands/backtest.ts")).backtestCommand));
}

const BACKTEST_EXAMPLES = `
Examples:
  ralph backtest                                    how many iterations the agents have needed
  ralph backtest --max-iterations 5                 what would have stopped earlier, what been cut off
  ralph backtest 3f2a last --max-cost 2 --timeout 30m
  ralph backtest --stuck-after 3 --json

Nothing is run: the journals are read again under the limits that are given. A limit that is left out stays as it was.`;
function addReceipts(program: Command, action: Action): void {
  const receipt = program
    .command("receipt")
    .description("the proof of completed loops: show it, and check it again")
    .addHelpText("after", RECEIPT_EXAMPLES);
  receipt
    .command("show", { isDefault: true })
    .description("what was claimed, and what proved it")
    .argument("[loop]", `${WHICH_WORK}; or a receipt file`, words, "last")
    .option("--json", "the receipt as it is")
    .option("--in-toto", "as an in-toto statement, for signing")
    .addHelpText("after", "\nExamples:\n  ralph receipt show\n  ralph receipt show 3f2a --in-toto > statement.json")
    .action(action(async () => (await import("./commands/receipt.ts")).showCommand));
  receipt
    .command("verify")
    .description("check receipts against themselves and this checkout; no journal is needed")
    .argument("[loop...]", `${WHICH_LOOP}; or receipt files (default: all in .ralph/receipts)`)
    .option("--rerun", "run the commands in the receipt again, here: they decide about the checkout as it is")
    .option("--current", "fail unless the checkout is the very tree that was proven")
    .option("--strict", "fail where the proof is less than judged")
    .option("--json", "as JSON")
    .addHelpText("after", VERIFY_HELP)
    .action(action(async () => (await import("./commands/receipt.ts")).verifyCommand));
}

const RECEIPT_EXAMPLES = `
Examples:
  ralph receipt show last
  ralph receipt verify --rerun`;

const VERIFY_HELP = `
--rerun runs shell commands that stand in the receipt, and prints each before it runs it. Use it on receipts you trust.

Examples:
  ralph receipt verify
  ralph receipt verify .ralph/receipts/3f2a91bc.json --rerun
  ralph receipt verify last --current

Exit codes: 0 all hold · 1 one no longer holds · 2 usage: no such receipt, or not one · 130 interrupted`;

function addRest(program: Command, action: Action): void {
  program
    .command("cancel")
    .description("stop a loop, a workflow's run, or the work on a task, and its agent")
    .argument("[loop]", WHICH_WORK, words, "last")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph cancel 3f2a\n  ralph cancel TASK-001")
    .action(action(async () => (await import("./commands/cancel.ts")).cancelCommand));
  program
    .command("demo")
    .description("a real loop in a temporary repository: no API key, no server")
    .option("--json", "print the journal as JSON Lines")
    .addHelpText("after", "\nExample:\n  npx ralph demo")
    .action(action(async () => (await import("./commands/demo.ts")).demoCommand));
  program
    .command("doctor")
    .description("check this machine, its agents, the settings and the journal")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph doctor")
    .action(action(async () => (await import("./commands/doctor.ts")).doctorCommand));
}

function addSetup(program: Command, action: Action): void {
  program
    .command("init")
    .description("write .ralph/settings.json for this repository, after a few questions")
    .option("-y, --yes", "take the defaults and ask nothing")
    .option("--agent <command>", "the agent to write down", words)
    .option("--claude", "install /specflow.tasks for Claude Code and a guide for agents; settings that are there stay")
    .option("--force", "replace files that are there; the old ones are kept as .bak")
    .option("--json", "print what was written and what was found, as JSON")
    .addHelpText("after", "\nExamples:\n  ralph init\n  ralph init --yes --agent claude\n  ralph init --claude")
    .action(action(async () => (await import("./commands/init.ts")).initCommand));
  program
    .command("completion")
    .description("print a script that completes commands and options in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", COMPLETION_HELP)
    .action(action(async () => (await import("./commands/completion.ts")).completionCommand(program)));
  program
    .command(LOOPS_COMMAND, { hidden: true })
    .action(action(async () => (await import("./commands/loop-ids.ts")).loopIdsCommand));
}

const COMPLETION_HELP = `
Install it:
  bash   echo 'eval "$(ralph completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(ralph completion zsh)"' >> ~/.zshrc     (after the line with compinit)
  fish   ralph completion fish > ~/.config/fish/completions/ralph.fish
It takes effect in the next shell you open.`;
