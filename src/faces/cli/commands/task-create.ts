import { readText, STDIN } from "../../../adapters/io/text-file.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { counted, firstOf } from "../../../core/excerpt.ts";
import { taskDocument } from "../../../core/task/document.ts";
import { changedCriteria } from "../../../core/task/own-checks.ts";
import type { NewTask } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { authorOf } from "../../../doors/pipeline/tasks/task-change.ts";
import { readFlags } from "../../../doors/pipeline/tasks/task-flags.ts";
import { readTasks } from "../../../doors/pipeline/tasks/task-text.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { agentsIn, type CriteriaOptions } from "../program/criteria.ts";

interface TaskOptions extends CriteriaOptions {
  description?: string;
  priority?: number;
  dependsOn?: string[];
  assignee?: string;
  json?: boolean;
}

interface CreateOptions extends TaskOptions {
  file?: string;
  spec?: string;
}

interface Named {
  id: string;
  spec: string;
  title: string;
  parent?: string;
}

export async function taskCreateCommand(
  cli: Cli,
  ...[id, spec, title, options]: [string | undefined, string | undefined, string | undefined, CreateOptions]
): Promise<void> {
  if (options.file !== undefined) return createFromFile(cli, { ...options, file: options.file }, id);
  if (options.spec !== undefined || id === undefined || spec === undefined || title === undefined) {
    throw new RalphError("usage", "a task needs an id, a spec and a title, or --file with tasks", {
      hint: example({ ...(id ? { id } : {}), ...(spec ? { spec } : {}), ...(title ? { title } : {}) }),
    });
  }
  const task = await taskIn(cli, { id, spec, title }, options);
  return await inWorkspace({ cwd: cli.cwd(), create: true }, (workspace) => createOne(cli, workspace, task, options));
}

export async function taskFollowupCommand(cli: Cli, id: string, parent: string, title: string, options: TaskOptions) {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const { specId } = await workspace.tasks.find(parent);
    const task = await taskIn(cli, { id, spec: specId, title, parent }, options);
    return await createOne(cli, workspace, task, options);
  });
}

async function createOne(cli: Cli, workspace: Workspace, task: NewTask, { json, criteria }: TaskOptions) {
  const author = authorOf(workspace, task.metadata.parent === undefined ? "ralph task create" : "ralph task followup");
  reportSpecs(cli, await workspace.tasks.create([task], Date.now(), author));
  if (criteria === false && !task.completionSpec) warnOfPromises(cli, task.id);
  if (json) cli.printJson(taskDocument(await workspace.tasks.find(task.id)));
  else cli.printLine(`Created ${task.id} in ${task.specId}: ${printable(task.title)}${proposedWords(author)}`);
}

async function taskIn(cli: Cli, named: Named, options: TaskOptions): Promise<NewTask> {
  const { id, spec, title, parent } = named;
  const metadata = parent === undefined ? {} : { parent };
  const { outcome, description, priority, dependsOn, assignee, verify } = options;
  const isChecked = options.acceptance !== undefined || verify !== undefined;
  const acceptance = isChecked ? changedCriteria([], options) : undefined;
  const withoutCriteria = options.criteria === false;
  const agents = agentsIn(options);
  if (!withoutCriteria) refuseOpen(named, options);
  // Criteria of an agent belong to an outcome: without one, the title is the outcome.
  const open = withoutCriteria && (acceptance !== undefined || outcome !== undefined || Object.keys(agents).length > 0);
  return await readFlags({
    cwd: cli.cwd(),
    value: { id, spec_id: spec, title, description, priority, dependencies: dependsOn, assignee, metadata },
    outcome: outcome ?? (open ? title : undefined),
    acceptance: acceptance ?? (open ? [] : undefined),
    agents,
    withoutCriteria,
  });
}

function refuseOpen(named: Named, { outcome, acceptance, verify }: TaskOptions): void {
  const missing = [
    ...(outcome === undefined ? ["--outcome"] : []),
    ...(acceptance === undefined && verify === undefined ? ["--acceptance"] : []),
  ];
  if (missing.length === 0) return;
  const verb = missing.length > 1 ? "are" : "is";
  throw new RalphError(
    "criteria-missing",
    `nothing says when ${named.id} is done: ${missing.join(" and ")} ${verb} missing`,
    { hint: `${example(named)}  (or --no-criteria: promises alone decide)` },
  );
}

const example = ({ id = "TASK-001", spec = "my-spec", title = "Implement login", parent }: Partial<Named>): string =>
  `ralph task ${parent === undefined ? `create ${id} ${spec}` : `followup ${id} ${parent}`} ${JSON.stringify(title)} --outcome "Users can log in" --acceptance "POST /login returns a token"`;

async function createFromFile(
  cli: Cli,
  { file, spec, json = false, criteria, ...others }: CreateOptions & { file: string },
  id: string | undefined,
): Promise<void> {
  if (id !== undefined || Object.keys(others).length > 0) {
    throw new RalphError("usage", "with --file, the file must contain everything about the tasks", {
      hint: "use --file only with --spec, --no-criteria and --json",
    });
  }
  const hint = "--file names a YAML or JSON file with tasks; `-` reads standard input";
  const source = await readText({ file, cwd: cli.cwd(), what: "task file", hint });
  const name = file === STDIN ? "<stdin>" : file;
  const { tasks, begunElsewhere } = await readTasks(name, source, { spec, withoutCriteria: criteria === false });
  return inWorkspace({ cwd: cli.cwd(), create: true }, async (workspace) => {
    const author = authorOf(workspace, "ralph task create");
    const specs = await workspace.tasks.create(tasks, Date.now(), author);
    reportSpecs(cli, specs);
    if (begunElsewhere > 0)
      cli.report(
        paint(
          "yellow",
          `! ${counted(begunElsewhere, "task")} had another status there: all start as ${author.type === "task.added" ? "todo" : "proposed"}`,
        ),
      );
    for (const { id } of tasks.filter(({ completionSpec }) => !completionSpec).slice(0, MOST_WARNED))
      warnOfPromises(cli, id);
    if (json) cli.printJson({ created: tasks.map(({ id }) => id), specs });
    else cli.printLine(`Created ${createdWords(tasks)}${proposedWords(author)}`);
  });
}

/** A note for agents, whose tasks are only proposed. */
export const proposedWords = ({ type }: ReturnType<typeof authorOf>): string =>
  type === "task.proposed" ? " (proposed: it does not run until the user accepts it)" : "";

const MOST_WARNED = 5;
const MOST_NAMED = 10;

function createdWords(tasks: readonly NewTask[]): string {
  const ids = tasks.map(({ id }) => id);
  return `${counted(tasks.length, "task")}: ${firstOf(ids, MOST_NAMED).join(", ")}`;
}

const warnOfPromises = (cli: Cli, id: string): void =>
  cli.report(
    paint(
      "yellow",
      `! ${id} has no criteria: the promises of its agents will count as done, unless the settings require more`,
    ),
  );

export function reportSpecs(cli: Cli, made: readonly string[]): void {
  for (const id of made) cli.report(`Created the spec ${id} (add its text with ralph spec create ${id} --file …)`);
}
