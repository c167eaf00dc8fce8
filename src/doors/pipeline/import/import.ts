import { realpathSync } from "node:fs";
import { basename, extname, relative, resolve, sep } from "node:path";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { isBelow } from "../../../adapters/io/inside.ts";
import { readText, STDIN } from "../../../adapters/io/text-file.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { ImportFormat } from "../../../core/task/import-format.ts";
import type { TaskStore } from "../../../core/task/store.ts";
import { ID_WORDS, isId, type NewTask } from "../../../core/task/task.ts";
import { authorOf } from "../tasks/task-author.ts";
import { readTasks } from "../tasks/task-text.ts";
import { formatOf } from "./format.ts";
import { importTasks } from "./import-tasks.ts";
import { slugId } from "./names.ts";
import { type Existing, type Plan, planImport } from "./plan.ts";
import { planTasks } from "./plan-yaml.ts";
import { sourceKey, sourceOf } from "./source.ts";

interface ImportRequest {
  /** Seen from the folder people work in; `-` is standard input. */
  file: string;
  spec?: string | undefined;
  format?: ImportFormat | undefined;
  /** Only say what would be done. */
  dryRun: boolean;
}

/** What became of a file. */
export interface ImportReport {
  format: ImportFormat;
  created: readonly Pick<NewTask, "id" | "specId" | "title">[];
  there: readonly string[];
  /** How many are done, and left out. */
  done: number;
  /** Specs that were made for them. */
  specs: readonly string[];
  /** Whether they wait for a person to accept them. */
  proposed: boolean;
}

const HINT = "name a prd.json, a Markdown file, exported GitHub issues or YAML: `ralph task import --help`";

/** Imports the tasks of a file: all of them, or none. */
export async function importFile(workspace: Workspace, request: ImportRequest): Promise<ImportReport> {
  const { cwd, tasks } = workspace;
  const { file, spec, dryRun } = request;
  if (spec !== undefined && !isId(spec)) {
    throw new RalphError("spec-id", `--spec: ${JSON.stringify(spec)} cannot be the id of a spec`, {
      hint: `an id has ${ID_WORDS}`,
    });
  }
  const text = await readText({ file, cwd, what: "file", hint: HINT });
  const format = request.format ?? formatOf(text, nameOf(file));
  const existing = await existingTasks(tasks);
  const { plan, done } = await planned(text, { cwd, file, spec, format, existing });
  const missing = await missingSpecs(tasks, plan.tasks);
  const author = authorOf(workspace, "ralph task import");
  if (!dryRun && plan.tasks.length > 0) await tasks.create(plan.tasks, Date.now(), author);
  const proposed = author.type === "task.proposed";
  return { format, created: plan.tasks, there: plan.there, done, specs: missing, proposed };
}

interface Reading {
  cwd: string;
  file: string;
  spec: string | undefined;
  format: ImportFormat;
  existing: Existing;
}

async function planned(
  text: string,
  { cwd, file, spec, format, existing }: Reading,
): Promise<{ plan: Plan; done: number }> {
  const shown = nameOf(file);
  const path = file === STDIN ? null : keptPath(cwd, file);
  if (format === "yaml") {
    const { tasks } = await readTasks(shown, text, { spec });
    return { plan: planTasks(tasks, existing, { file: shown, path }), done: 0 };
  }
  const imported = importTasks(text, shown, format);
  const place = { file: shown, path, spec: spec ?? specFor(imported.project, file) };
  return { plan: planImport(imported, existing, place), done: imported.done.length };
}

const nameOf = (file: string): string => (file === STDIN ? "standard input" : file);

/** From the top of the checkout: the file is the same one in every worktree. Null: it is not in there. */
function keptPath(cwd: string, file: string): string | null {
  const root = checkoutRoot(cwd) ?? cwd;
  const path = realPath(resolve(cwd, file));
  return path !== null && isBelow(path, root) ? relative(root, path).split(sep).join("/") : null;
}

/** A pipe of the shell's has a name that leads nowhere. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What the file calls itself, else its name. */
function specFor(project: string, file: string): string {
  const id = slugId(project) ?? (file === STDIN ? null : slugId(basename(file, extname(file))));
  if (id !== null) return id;
  throw new RalphError("spec-missing", "which spec do these tasks belong to?", { hint: "name it with --spec <id>" });
}

/** Ids and sources only: the tasks themselves may be many. */
async function existingTasks(tasks: TaskStore): Promise<Existing> {
  const ids = new Map<string, string>();
  const sources = new Map<string, string>();
  for await (const { id, metadata } of tasks.all()) {
    ids.set(id.toLowerCase(), id);
    const source = sourceOf(metadata);
    if (source) sources.set(sourceKey(source), id);
  }
  return { ids, sources };
}

async function missingSpecs(tasks: TaskStore, created: readonly NewTask[]): Promise<string[]> {
  const wanted = [...new Set(created.map(({ specId }) => specId))];
  const found = await Promise.all(wanted.map((id) => tasks.spec(id)));
  return wanted.filter((_, i) => found[i] === null);
}
