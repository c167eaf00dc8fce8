import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { taskDocument } from "../../../core/task/document.ts";
import { changedCriteria } from "../../../core/task/own-checks.ts";
import { AGENT_ROLES } from "../../../core/task/role.ts";
import { TASK_STATUSES, type Task, type TaskChange } from "../../../core/task/task.ts";
import { changeTasks, findAll, type PersonStatus } from "../../../doors/pipeline/tasks/task-change.ts";
import { readFlags } from "../../../doors/pipeline/tasks/task-flags.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli } from "../context.ts";
import { agentsIn, type CriteriaOptions } from "../program/criteria.ts";

interface UpdateOptions extends CriteriaOptions {
  title?: string;
  description?: string;
  priority?: number;
  /** False with `--no-depends-on`. */
  dependsOn?: string[] | false;
  assignee?: string;
  status?: string;
  json?: boolean;
}

export async function taskUpdateCommand(cli: Cli, given: readonly string[], options: UpdateOptions): Promise<void> {
  const ids = [...new Set(given)];
  const named = ids.join(" ");
  const status = personStatus(named, options.status);
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    refuseAgents(workspace, "ralph task update");
    const before = await findAll(
      workspace,
      ids.map((id) => ({ id })),
    );
    const changes: { id: string; change: TaskChange }[] = [];
    for (const task of before) changes.push({ id: task.id, change: await changeIn(cli, task, options) });
    if (status === undefined && changes.every(({ change }) => Object.keys(change).length === 0)) {
      throw new RalphError("usage", `no change to ${named} was given`, {
        hint: "`ralph task update --help` shows every flag with examples",
      });
    }
    const by = `ralph task update (pid ${cli.process.pid})`;
    const tasks = await changeTasks(workspace, changes, { status, by });
    const [task] = tasks;
    if (options.json) cli.printJson(task && ids.length === 1 ? taskDocument(task) : tasks.map(taskDocument));
    else for (const { id, status: now, title } of tasks) cli.printLine(`Updated ${id} (${now}): ${printable(title)}`);
  });
}

/** The fields that the flags change, validated together with the rest of the task. */
async function changeIn(cli: Cli, task: Task, options: UpdateOptions): Promise<TaskChange> {
  const { title, description, priority, dependsOn, assignee, outcome, acceptance, verify } = options;
  const agents = agentsIn(options);
  const isChecked = acceptance !== undefined || verify !== undefined;
  const aboutDone = outcome !== undefined || isChecked || Object.keys(agents).length > 0;
  const { completion_spec: before, ...value } = taskDocument(task);
  const said = { title, description, priority, assignee, dependencies: dependsOn === false ? [] : dependsOn };
  const given = Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined));
  const criteria = before?.acceptance_criteria;
  const kept = aboutDone
    ? {
        outcome: outcome ?? before?.outcome ?? (isChecked ? task.title : undefined),
        acceptance: isChecked ? changedCriteria(criteria ?? [], { acceptance, verify }) : criteria,
      }
    : {};
  const read = await readFlags({
    cwd: cli.cwd(),
    value: { ...value, ...given, title: title ?? task.title },
    ...kept,
    agents,
    before: Object.fromEntries(
      Object.entries(agents).map(([agent, flags]) => [agent, underneath(task, agent, flags.verify)]),
    ),
    withoutCriteria: true,
  });
  const names = Object.keys(given) as (keyof typeof said)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, read[name]])),
    ...(aboutDone && read.completionSpec ? { completionSpec: { ...task.completionSpec, ...read.completionSpec } } : {}),
  };
}

/** A task's criteria for an agent; a new method drops the configuration of the old one. */
function underneath({ completionSpec }: Task, agent: string, method: string | undefined): unknown {
  const role = AGENT_ROLES.find((one) => one === agent);
  const found = role && completionSpec?.[role];
  if (!found) return {};
  if (method === undefined || found.verification_method === method) return found;
  const { verification_config: _, verification_template: __, ...rest } = found;
  return rest;
}

function personStatus(id: string, status: string | undefined): PersonStatus | undefined {
  if (status === undefined || status === "todo" || status === "cancelled") return status;
  const made = TASK_STATUSES.find((one) => one === status);
  const message = made
    ? `only an execution sets the status ${made}: ${MADE_BY[made]}`
    : `${JSON.stringify(status)} is not a task status`;
  throw new RalphError("task-status", message, {
    hint: `use --status todo (retry ${id}) or --status cancelled (drop it); \`ralph execute ${id}\` sets the others`,
  });
}

const BY_STAGE = "set while that stage's loop runs";
const MADE_BY: Readonly<Record<string, string>> = {
  implementing: BY_STAGE,
  reviewing: BY_STAGE,
  testing: BY_STAGE,
  qa: BY_STAGE,
  done: "set once its work is verified and merged",
  proposed: "set when an agent has created it, until `ralph task accept`",
  blocked: "set when an execution needs the user to continue",
};
