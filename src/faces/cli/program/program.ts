import { Argument, Command, Option, type OutputConfiguration } from "commander";
import { ROOM_MODES } from "../../../core/proof/proof.ts";
import { VERSION } from "../../../core/version.ts";
import { type Action, add } from "./action.ts";
import { withAgentOptions } from "./agent-options.ts";
import {
  dollarAmount,
  nonEmptyText,
  repeated,
  repeatedNumber,
  wholeNumberArgument,
  wholeNumberOrOff,
} from "./arguments.ts";
import { durationOption } from "./duration-option.ts";
import { addExecute, addWorktrees } from "./execute.ts";
import { inGroups } from "./groups.ts";
import { addHookCommands } from "./hook.ts";
import { addServe } from "./serve.ts";
import { addTaskCommands } from "./tasks.ts";
import { addBoard, addDiff, addReport, addStats } from "./views.ts";
import { LOOPS_COMMAND } from "./well-known.ts";
import { addWorkflowCommands } from "./workflows.ts";

/** Every command of the CLI. Implementations are loaded only when a command runs. */
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
  addBoard(program, action);
  addDiff(program, action);
  addBacktest(program, action);
  addReport(program, action);
  addStats(program, action);
  addReceipts(program, action);
  addWorktrees(program, action);
  addRest(program, action);
  addServe(program, action);
  addTaskCommands(program, action);
  addWorkflowCommands(program, action);
  addHookCommands(program, action);
  addSetup(program, action);
  inGroups(program);
  return program;
}

const WHICH_LOOP = "its id, the beginning of one, or `last`";
const WHICH_WORK = `${WHICH_LOOP}; or the id of a task, or of a workflow's run`;
const RUNNING_WORK = `${WHICH_WORK} (default: the one that runs here, or else the last loop)`;

/** A new loop has defaults; a resumed one keeps its limits. */
const withLimits = (command: Command, byDefault: (value: number) => string): Command =>
  command
    .optionsGroup("Limits:")
    .option("-m, --max-iterations <n>", `maximum number of iterations${byDefault(10)}`, wholeNumberArgument)
    .option("--maximum-iterations <n>", "same as --max-iterations", wholeNumberArgument)
    .option("--max-cost <usd>", "maximum cost in dollars", dollarAmount)
    .option("--max-tokens <n>", "maximum number of tokens", wholeNumberArgument)
    .addOption(durationOption("--timeout <time>", "maximum working time, such as 90s, 5m or 2h"))
    .option(
      "--stuck-after <n>",
      `stop after this many iterations without progress, 0: never${byDefault(5)}`,
      wholeNumberOrOff,
    );

const withOutput = (command: Command): Command =>
  command
    .optionsGroup("Output:")
    .option("--no-stream-agent-output", "do not show what the agent prints")
    .option("--stream-agent-output", "show what the agent prints (the default)")
    .option("--raw", "show the agent's output as it prints it, with every escape sequence")
    .option("-q, --quiet", "print only the result")
    .option("--json", "print only the journal entries, as JSON Lines, as they are written");

function addRun(program: Command, action: Action): void {
  const run = add(program, "run", "run an agent until its claim is verified")
    .argument("[prompt...]", "the task for the agent, quoted; without one it is read from a pipe")
    .optionsGroup("Task:")
    .option("-p, --prompt <text>", "the task for the agent, instead of the argument")
    .option(
      "--prompt-file <path>",
      "a file with the prompt, read again for every iteration; `-` is standard input",
      nonEmptyText,
    )
    .option("--verify <command>", "must exit 0 for a claim to count (repeatable)", repeated)
    .option(
      "--strict",
      "refuse changed expected results and new suppressions; exit 1 if the proof is weaker than judged",
    )
    .option(
      "--scope <glob>",
      "the agent may change only these paths; +glob: only add, !glob: not (repeatable)",
      repeated,
    )
    .addOption(
      new Option(
        "--clean-room <mode>",
        "run the checks in a fresh checkout; oracle: of the start plus the changes within the scope",
      ).choices(ROOM_MODES),
    )
    .option("--missing-ok", "files that a check's command names may be missing: the agent creates them")
    .option("--allow-dirty", "with scm: commit also what was uncommitted before the loop began, except secrets")
    .option("-c, --completion-response <text>", "the text of the completion tag (default DONE)", nonEmptyText)
    .option("--settings <path>", "settings file (default .ralph/settings.json)", nonEmptyText)
    .option("--dry-run", "show what would run, with the full prompt; start and write nothing")
    .option(
      "--worktree [name]",
      "work in a worktree of its own, on a new branch ralph/<name>; --worktree=<name> names it",
      (name: string) => name || true,
    )
    .option("--merge", "with --worktree: merge the branch into the one that is checked out, if the loop completes")
    .option("--force", "start also if a loop that may change the same files is running in this checkout")
    .option("--resume <loop>", "resume a loop: same as `ralph resume`", nonEmptyText)
    .optionsGroup("Agent:")
    .option(
      "--agent <command>",
      'the agent: a command such as claude or "claude --effort high", or `scripted` (repeatable: the next one takes over when one reaches its usage limit)',
      repeated,
    )
    .option("--scenario <file>", "what the scripted agent plays", nonEmptyText)
    .addOption(
      new Option("--context <mode>", "fresh: a new session for every iteration; continue: one session for all").choices(
        ["fresh", "continue"],
      ),
    )
    .option("--memory", "tell a new session what the iterations before it did (the default)")
    .option("--no-memory", "give every new session only the task")
    .addOption(durationOption("--iteration-timeout <time>", "maximum time of an iteration (default 60m)"))
    .addOption(
      durationOption("--idle-timeout <time>", "end an iteration after this long without output (default 20m)"),
    );
  withAgentOptions(run, "[prompt]");
  withOutput(withLimits(run, (value) => ` (default ${value})`))
    .addHelpText("after", RUN_EXAMPLES)
    .action(action(async () => (await import("../commands/run.ts")).runLoopCommand));
}

const RUN_EXAMPLES = `
Examples:
  ralph run "Make the tests pass" --verify "npm test"
  cat PROMPT.md | ralph run --verify "npm test"
  ralph run --prompt-file task.md --agent claude -m 20 --verify "npm test" --verify "npm run lint"
  ralph run "Add a CSV export" --verify "npm test" --scope "src/**" --scope "+test/**" --clean-room oracle
  ralph run "Fix the tests" --verify "npm test" --agent codex --model gpt-5.4 -- -s workspace-write
  ralph run "Add a CSV export" --verify "npm test" --worktree --merge
  ralph run --prompt-file task.md --agent claude --verify "npm test" --dry-run
  ralph run "Try it" --agent scripted --scenario rehearsal.yaml

Exit codes: 0 complete (with --strict: judged or better) · 1 stopped without completion · 2 usage or configuration error · 130 interrupted`;

function addResume(program: Command, action: Action): void {
  const resume = add(program, "resume", "resume a loop that stopped, or whose process died")
    .argument("[loop]", WHICH_LOOP, nonEmptyText, "last")
    .option("--accept-changes", "accept your own changes to protected files")
    .option("--force", "resume also if a loop that may change the same files is running in this checkout");
  withAgentOptions(resume, "[loop]");
  withOutput(withLimits(resume, () => ""))
    .addHelpText(
      "after",
      "\nExamples:\n  ralph resume\n  ralph resume 3f2a -m 20\n  ralph resume -- --permission-mode acceptEdits",
    )
    .action(action(async () => (await import("../commands/resume.ts")).resumeCommand));
}

function addViews(program: Command, action: Action): void {
  add(program, "status", "show what is running, or the details of one loop or run")
    .argument("[loop]", WHICH_WORK, nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph status\n  ralph status last --json\n  ralph status TASK-001")
    .action(action(async () => (await import("../commands/status.ts")).statusCommand));
  add(program, "list", "list the loops of this repository, newest first")
    .option("-n, --limit <n>", "how many", wholeNumberArgument, 20)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph list --limit 5")
    .action(action(async () => (await import("../commands/list.ts")).listCommand));
  add(program, "logs", "show what the agent printed")
    .argument("[loop]", RUNNING_WORK, nonEmptyText)
    .option("-f, --follow", "keep printing until the loop stops")
    .option("--iteration <n>", "only that iteration", wholeNumberArgument)
    .option("--raw", "as the agent printed it, with every escape sequence")
    .option("--json", "as JSON Lines: iteration, attempt and text")
    .addHelpText("after", "\nExamples:\n  ralph logs -f\n  ralph logs 3f2a --iteration 2")
    .action(action(async () => (await import("../commands/logs.ts")).logsCommand));
  add(program, "why", "show why a loop stopped or continues: every claim, verdict and decision")
    .argument("[loop]", RUNNING_WORK, nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph why\n  ralph why last\n  ralph why TASK-001")
    .action(action(async () => (await import("../commands/why.ts")).whyCommand));
  addNotes(program, action);
}

function addNotes(program: Command, action: Action): void {
  const notes = add(program, "notes", "show and drop what the agent noted for its later iterations")
    .argument("[loop]", RUNNING_WORK, nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph notes\n  ralph notes last --json\n  ralph notes drop 2")
    .action(action(async () => (await import("../commands/notes.ts")).notesCommand));
  add(notes, "drop", "leave notes out of the prompts from now on")
    .argument("<note...>", "their numbers, as `ralph notes` shows them", repeatedNumber)
    .option("--loop <loop>", RUNNING_WORK, nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  ralph notes drop 2\n  ralph notes drop 1 3 --loop 3f2a")
    .action(action(async () => (await import("../commands/notes.ts")).dropNotesCommand));
}

function addBacktest(program: Command, action: Action): void {
  const backtest = add(program, "backtest", "replay past loops against other limits")
    .argument("[loop...]", `only these: ${WHICH_LOOP}`, repeated)
    .option("--json", "as JSON");
  withLimits(backtest, () => "")
    .addHelpText("after", BACKTEST_EXAMPLES)
    .action(action(async () => (await import("../commands/backtest.ts")).backtestCommand));
}

const BACKTEST_EXAMPLES = `
Examples:
  ralph backtest                                    how many iterations the agents needed
  ralph backtest --max-iterations 5                 which loops would have stopped earlier or been cut off
  ralph backtest 3f2a last --max-cost 2 --timeout 30m
  ralph backtest --stuck-after 3 --json

Nothing is run: the journals are replayed with the given limits. A limit that is not given stays unchanged.`;
function addReceipts(program: Command, action: Action): void {
  const receipt = add(program, "receipt", "show and verify the proof of completed loops");
  receipt.addHelpText("after", RECEIPT_EXAMPLES);
  receipt
    .command("show", { isDefault: true })
    .description("show what was claimed, and what proved it")
    .argument("[loop]", `${WHICH_WORK}; or a receipt file`, nonEmptyText, "last")
    .option("--json", "print the receipt file")
    .option("--in-toto", "as an in-toto statement, for signing")
    .addHelpText("after", "\nExamples:\n  ralph receipt show\n  ralph receipt show 3f2a --in-toto > statement.json")
    .action(action(async () => (await import("../commands/receipt.ts")).showCommand));
  add(receipt, "verify", "verify receipts, against this checkout; needs no journal")
    .argument("[loop...]", `${WHICH_LOOP}; or receipt files (default: all in .ralph/receipts)`)
    .option("--rerun", "run the receipt's commands again: they decide about this checkout")
    .option("--current", "fail unless the checkout is exactly the tree that was proven")
    .option("--strict", "fail if the proof is weaker than judged")
    .option("--json", "as JSON")
    .addHelpText("after", VERIFY_HELP)
    .action(action(async () => (await import("../commands/receipt.ts")).verifyCommand));
}

const RECEIPT_EXAMPLES = `
Examples:
  ralph receipt show last
  ralph receipt verify --rerun`;

const VERIFY_HELP = `
--rerun runs the shell commands in the receipt, and prints each one first. Use it only on receipts you trust.

Examples:
  ralph receipt verify
  ralph receipt verify .ralph/receipts/3f2a91bc.json --rerun
  ralph receipt verify last --current

Exit codes: 0 all valid · 1 one is no longer valid · 2 usage: not a receipt, or no such receipt · 130 interrupted`;

function addRest(program: Command, action: Action): void {
  add(program, "cancel", "stop a loop, a workflow run, the work on a task or an execution, and its agents")
    .argument("[loop]", `${WHICH_WORK}, or of an execution (default: the only one that runs here)`, nonEmptyText)
    .option("--all", "everything that runs in this repository")
    .option("--json", "as JSON")
    .addHelpText("after", CANCEL_EXAMPLES)
    .action(action(async () => (await import("../commands/cancel.ts")).cancelCommand));
  add(program, "demo", "run a real loop in a temporary repository: no API key, no server")
    .option("--json", "print the journal as JSON Lines")
    .addHelpText("after", "\nExample:\n  npx ralph demo")
    .action(action(async () => (await import("../commands/demo.ts")).demoCommand));
  add(program, "doctor", "check this machine, its agents, the settings and the journal")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph doctor")
    .action(action(async () => (await import("../commands/doctor.ts")).doctorCommand));
  add(program, "relink", "attach the loops and tasks of another path to this repository")
    .argument(
      "[history]",
      "the id of a state folder, or the former path of the repository; without it, they are listed",
      nonEmptyText,
    )
    .option("--json", "as JSON")
    .addHelpText("after", RELINK_EXAMPLES)
    .action(action(async () => (await import("../commands/relink.ts")).relinkCommand));
}

const RELINK_EXAMPLES = `
A moved repository keeps its history by itself. This is for the rest: a repository that was cloned again, or restored
without its git directory.

Examples:
  ralph relink                      the state folders on this machine, and their repositories
  ralph relink /home/ada/old/shop
  ralph relink shop-268da5f3dd03`;

const CANCEL_EXAMPLES = `
Examples:
  ralph cancel              what runs here; if several do, they are listed
  ralph cancel 3f2a
  ralph cancel TASK-001     the work on one task; its execution continues with the others
  ralph cancel --all

A cancelled loop can be resumed; the tasks of a cancelled execution continue with the next \`ralph execute\`.

Exit codes: 0 cancelled · 1 nothing to cancel, or still ending · 2 usage: no such work, or several run`;

function addSetup(program: Command, action: Action): void {
  add(program, "init", "write .ralph/settings.json for this repository, after a few questions")
    .option("-y, --yes", "use the defaults and ask nothing")
    .option("--agent <command>", "the agent for the settings", nonEmptyText)
    .option("--claude", "install /specflow.tasks for Claude Code and a guide for agents; keeps existing settings")
    .option("--force", "replace existing files; the old ones are kept as .bak")
    .option("--json", "print what was written and what was found, as JSON")
    .addHelpText("after", "\nExamples:\n  ralph init\n  ralph init --yes --agent claude\n  ralph init --claude")
    .action(action(async () => (await import("../commands/init.ts")).initCommand));
  add(program, "completion", "print a script that completes commands and options in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", COMPLETION_HELP)
    .action(action(async () => (await import("../commands/completion.ts")).completionCommand(program)));
  program
    .command(LOOPS_COMMAND, { hidden: true })
    .action(action(async () => (await import("../commands/completion-ids.ts")).loopIdsCommand));
}

const COMPLETION_HELP = `
Install it:
  bash   echo 'eval "$(ralph completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(ralph completion zsh)"' >> ~/.zshrc     (after the line with compinit)
  fish   ralph completion fish > ~/.config/fish/completions/ralph.fish
It takes effect in the next shell you open.`;
