import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { commandsIn } from "../../../core/task/commands.ts";
import { taskDocument } from "../../../core/task/document.ts";
import type { Task } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { acceptTask } from "../../../doors/pipeline/tasks/task-change.ts";
import { type TaskView, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { reportNext } from "../output/next.ts";
import { openTerminal } from "../output/terminal.ts";
import { askYesNo } from "../setup/wizard.ts";
import { taskLines } from "../views/task-lines.ts";

interface AcceptOptions {
  all?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** `ralph task accept`: shows what agents have proposed, and accepts what the user confirms. */
export async function taskAcceptCommand(cli: Cli, ids: readonly string[], options: AcceptOptions): Promise<number> {
  if (Boolean(options.all) === ids.length > 0) {
    throw new RalphError("usage", "name the tasks to accept, or use --all", {
      hint: "`ralph task list --status proposed` shows them",
    });
  }
  return inWorkspace({ cwd: cli.cwd() }, (workspace) => accept(cli, workspace, ids, options));
}

async function accept(cli: Cli, workspace: Workspace, ids: readonly string[], { yes, json }: AcceptOptions) {
  refuseAgents(workspace, "ralph task accept");
  const proposed = await proposedOf(workspace, ids);
  if (proposed.length === 0 && !json) cli.printLine("No task is proposed.");
  if (!yes && proposed.length > 0 && !cli.canAsk) throw unasked(proposed);
  const accepted: Task[] = [];
  for (const view of proposed) {
    if (!yes && !(await isWanted(cli, view))) continue;
    accepted.push(await acceptTask(workspace, view.task, `ralph task accept (pid ${cli.process.pid})`));
    if (!json) cli.printLine(`Accepted ${view.task.id}: ${printable(view.task.title)}${runsWords(view.task)}`);
  }
  if (!json && accepted.length > 0) reportNext(cli, "ralph execute");
  if (json)
    cli.printJson({ accepted: accepted.map((task) => ({ ...taskDocument(task), commands: commandsOf(task) })) });
  return accepted.length === proposed.length ? EXIT.verified : EXIT.stopped;
}

async function proposedOf(workspace: Workspace, ids: readonly string[]): Promise<TaskView[]> {
  const named = ids.length > 0 ? [...new Set(ids)] : await allProposed(workspace);
  const views = await Promise.all(named.map((id) => viewTask(workspace, id)));
  const other = views.find(({ state }) => state.proposedBy === null);
  if (!other) return views;
  throw new RalphError("task-accepted", `task ${other.task.id} is ${other.task.status}: there is nothing to accept`, {
    hint: "`ralph task list --status proposed` shows what agents have proposed",
  });
}

const allProposed = async ({ tasks }: Workspace): Promise<string[]> =>
  (await tasks.list({ status: ["proposed"] })).map(({ id }) => id);

const unasked = (views: readonly TaskView[]): RalphError =>
  new RalphError("unasked", "cannot ask whether these tasks may run: this is not a terminal", {
    hint: `look at them (${views.map(({ task }) => `ralph task show ${task.id}`).join("; ")}), then use --yes, or run this in a terminal`,
  });

const commandsOf = ({ completionSpec }: Task): string[] => commandsIn(completionSpec);

function runsWords(task: Task): string {
  const commands = commandsOf(task);
  return commands.length > 0 ? paint("dim", ` (runs ${commands.map(printable).join("; ")})`) : "";
}

async function isWanted(cli: Cli, view: TaskView): Promise<boolean> {
  const commands = commandsOf(view.task);
  for (const line of taskLines(view)) cli.report(line);
  cli.report(commands.length > 0 ? `\n${paint("bold", "It would run")}` : "\nIt names no command of its own.");
  for (const command of commands) cli.report(`  ${paint("yellow", printable(command))}`);
  const terminal = openTerminal(cli);
  try {
    return await askYesNo(terminal, `Accept ${view.task.id}?`, false);
  } finally {
    terminal.close();
  }
}
