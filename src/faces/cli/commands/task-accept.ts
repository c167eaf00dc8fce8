import { openWorkspace, type Workspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { commandsIn } from "../../../core/task/commands.ts";
import { taskDocument } from "../../../core/task/document.ts";
import type { Task } from "../../../core/task/task.ts";
import { acceptTask } from "../../../doors/pipeline/tasks/task-accept.ts";
import { type TaskView, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { paint } from "../paint.ts";
import { printJson, printLine, tell } from "../print.ts";
import { taskLines } from "../task-lines.ts";
import { onTerminal, openTerminal } from "../terminal.ts";
import { askYesNo } from "../wizard.ts";

interface AcceptOptions {
  all?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** `ralph task accept`: shows what agents have proposed, and lets it run once a person says so. */
export async function taskAcceptCommand(ids: readonly string[], options: AcceptOptions): Promise<number> {
  const { all = false, yes = false, json = false } = options;
  if (all === ids.length > 0) {
    throw new RalphError("usage", "name the tasks to accept, or give --all", {
      hint: "`ralph task list --status proposed` shows them",
    });
  }
  const workspace = await openWorkspace(process.cwd());
  try {
    refuseAgents(workspace, "ralph task accept");
    const proposed = await proposedOf(workspace, ids);
    if (proposed.length === 0 && !json) printLine("No task is proposed.");
    if (!yes && proposed.length > 0 && !onTerminal()) throw unasked(proposed);
    const accepted: Task[] = [];
    for (const view of proposed) {
      if (!yes && !(await isWanted(view))) continue;
      const task = await acceptTask(workspace, view.task, `ralph task accept (pid ${process.pid})`);
      accepted.push(task);
      if (!json) printLine(`Accepted ${task.id}: ${printable(task.title)}${runsWords(task)}`);
    }
    if (json) printJson({ accepted: accepted.map((task) => ({ ...taskDocument(task), commands: commandsOf(task) })) });
    return accepted.length === proposed.length ? EXIT.verified : EXIT.stopped;
  } finally {
    workspace.store.close();
  }
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
  new RalphError("unasked", "nobody can be asked here whether these tasks may run", {
    hint: `look at them (${views.map(({ task }) => `ralph task show ${task.id}`).join("; ")}), then give --yes, or run this on a terminal`,
  });

const commandsOf = ({ completionSpec }: Task): string[] => commandsIn(completionSpec);

function runsWords(task: Task): string {
  const commands = commandsOf(task);
  return commands.length > 0 ? paint("dim", ` (runs ${commands.map(printable).join("; ")})`) : "";
}

async function isWanted(view: TaskView): Promise<boolean> {
  const commands = commandsOf(view.task);
  for (const line of taskLines(view)) tell(line);
  tell(commands.length > 0 ? `\n${paint("bold", "It would run")}` : "\nIt names no command of its own.");
  for (const command of commands) tell(`  ${paint("yellow", printable(command))}`);
  const terminal = openTerminal();
  try {
    return await askYesNo(terminal, `Accept ${view.task.id}?`, false);
  } finally {
    terminal.close();
  }
}
