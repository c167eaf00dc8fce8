import { readText, STDIN } from "../../../adapters/io/text-file.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { firstOf } from "../../../core/excerpt.ts";
import { taskDocument } from "../../../core/task/document.ts";
import { changedCriteria } from "../../../core/task/own-checks.ts";
import type { NewTask } from "../../../core/task/task.ts";
import { type DoneMeans, doneMeans, taskSettings } from "../../../doors/pipeline/tasks/done-means.ts";
import { addTasks, defaultSpec, titledText } from "../../../doors/pipeline/tasks/task-add.ts";
import { authorOf } from "../../../doors/pipeline/tasks/task-change.ts";
import { readFlags } from "../../../doors/pipeline/tasks/task-flags.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { proposedWords, reportSpecs } from "./task-create.ts";

interface AddOptions {
  spec?: string;
  verify?: string[];
  acceptance?: string[];
  outcome?: string;
  scope?: string[];
  description?: string;
  priority?: number;
  dependsOn?: string[];
  /** Another name of the same. */
  depends?: string[];
  assignee?: string;
  json?: boolean;
}

/** `ralph task add`: tasks whose id and spec Ralph chooses. */
export async function taskAddCommand(cli: Cli, titles: readonly string[], options: AddOptions): Promise<void> {
  refuseLoneWords(titles);
  const drafts = await draftsOf(cli, titles, options);
  return inWorkspace({ cwd: cli.cwd(), create: true }, async (workspace) => {
    const author = authorOf(workspace, "ralph task add");
    const spec = options.spec ?? (await defaultSpec(workspace));
    const asked = drafts.map((draft) => ({ ...draft, specId: spec }));
    const { added, specs } = await addTasks(workspace, asked, author);
    const done = await meaning(cli, added);
    if (options.json) {
      const rows = await Promise.all(added.map(({ id }) => workspace.tasks.find(id)));
      cli.printJson({ tasks: rows.map(taskDocument), spec, specs, done, next: NEXT });
      return;
    }
    reportSpecs(cli, specs);
    for (const { id, title } of added)
      cli.printLine(`Created ${id} in ${spec}: ${printable(title)}${proposedWords(author)}`);
    for (const line of doneLines(done, added)) cli.printLine(line);
    cli.printLine(
      author.type === "task.proposed" ? "  next: the user accepts it with `ralph task accept`" : `  next: ${NEXT}`,
    );
  });
}

const NEXT = "ralph execute --dry-run";

/** Part of a sentence or of a command whose quotes are missing would otherwise become a task. */
function refuseLoneWords(titles: readonly string[]): void {
  const lone =
    titles.length > 1 ? titles.find((title) => /^[a-z0-9./@-]\S*$/.test(title) && title !== STDIN) : undefined;
  if (lone === undefined) return;
  throw new RalphError("usage", `every argument is a task of its own, and ${JSON.stringify(lone)} is a single word`, {
    hint: `quote each title and each command: ralph task add "Add a discount" --verify "npm test"`,
  });
}

/** The tasks, with ids and specs that are replaced. */
async function draftsOf(cli: Cli, titles: readonly string[], options: AddOptions): Promise<NewTask[]> {
  const { priority, dependsOn = [], depends = [], assignee, outcome, acceptance, verify, scope } = options;
  const read = (what: string) =>
    readText({ file: STDIN, cwd: cli.cwd(), what, hint: "standard input must be a UTF-8 text" });
  const description = options.description === STDIN ? await read("description") : options.description;
  const isPiped = titles.length === 0 && !cli.process.stdin.isTTY && options.description !== STDIN;
  const texts = isPiped ? [await read("task")] : titles;
  const drafts: NewTask[] = [];
  for (const text of texts) {
    const titled = titledText(text === STDIN ? await read("task") : text);
    if (!titled) throw noTitle();
    const { title } = titled;
    const about = [description ?? "", titled.description].filter(Boolean).join("\n\n");
    drafts.push(
      await readFlags({
        cwd: cli.cwd(),
        value: {
          id: "TASK-1",
          spec_id: "tasks",
          title,
          description: about,
          priority,
          dependencies: [...dependsOn, ...depends],
          assignee,
        },
        outcome: outcome ?? title,
        acceptance: changedCriteria([], { acceptance, verify }),
        scope,
        agents: {},
        withoutCriteria: true,
      }),
    );
  }
  if (drafts.length === 0) throw noTitle();
  return drafts;
}

const noTitle = (): RalphError =>
  new RalphError("usage", "a task needs a title", {
    hint: 'ralph task add "Add a discount", or its text on standard input',
  });

/** Null if the settings cannot be read: the task is added anyway. */
async function meaning(cli: Cli, [task]: readonly NewTask[]): Promise<DoneMeans | null> {
  try {
    return task ? doneMeans(task, (await taskSettings(cli.cwd())).settings) : null;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    cli.report(
      paint("yellow", `! ${printable(error.message)}${error.hint ? `\n  help: ${printable(error.hint)}` : ""}`),
    );
    return null;
  }
}

const MOST_NAMED = 5;

function doneLines(done: DoneMeans | null, added: readonly NewTask[]): string[] {
  if (!done) return [];
  const { checks, judged } = done;
  const named = (words: readonly string[]) => printable(firstOf(words, MOST_NAMED).join(", "));
  if (checks.length + judged.length > 0) {
    return [
      ...(checks.length > 0 ? [`  done when these pass: ${named(checks)}`] : []),
      ...(judged.length > 0 ? [`  decided by a judge or plugin: ${named(judged)}`] : []),
    ];
  }
  const ids = firstOf(
    added.map(({ id }) => id),
    MOST_NAMED,
  ).join(" ");
  return [
    paint(
      "yellow",
      "  no check: only the word of its agents would say that it is done (promise-only, the weakest proof)",
    ),
    `  add one: ralph task update ${ids} --verify "npm test", or for all tasks "verify": ["npm test"] in .ralph/settings.json`,
  ];
}
