import { basename, extname, relative, resolve, sep } from "node:path";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { isBelow } from "../../../adapters/io/inside.ts";
import { realPathOf } from "../../../adapters/io/look.ts";
import { readText, STDIN } from "../../../adapters/io/text-file.ts";
import { RalphError } from "../../../core/errors.ts";
import { firstNamed } from "../../../core/excerpt.ts";
import type { ImportFormat } from "../../../core/task/import-format.ts";
import type { TaskStore } from "../../../core/task/store.ts";
import { ID_WORDS, isId, type NewTask } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { authorOf } from "../tasks/task-change.ts";
import { readTasks } from "../tasks/task-text.ts";
import { formatOf, importTasks } from "./format.ts";
import { slugId } from "./names.ts";
import { type Existing, type ImportSource, type Plan, planImport, TAKEN } from "./plan.ts";
import { sourceKey, sourceOf } from "./source.ts";

interface ImportRequest {
  /** Relative to the current folder; `-` is standard input. */
  file: string;
  spec?: string | undefined;
  format?: ImportFormat | undefined;
  dryRun: boolean;
}

export interface ImportReport {
  format: ImportFormat;
  created: readonly Pick<NewTask, "id" | "specId" | "title">[];
  there: readonly string[];
  done: number;
  specs: readonly string[];
  /** Whether the user has to accept them first. */
  proposed: boolean;
}

const HINT = "specify a prd.json, a Markdown file, exported GitHub issues or YAML; see `ralph task import --help`";

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

async function planned(
  text: string,
  {
    cwd,
    file,
    spec,
    format,
    existing,
  }: { cwd: string; format: ImportFormat; existing: Existing } & Pick<ImportRequest, "file" | "spec">,
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

/** Relative to the checkout's root, so that it is the same in every worktree. Null if it is outside. */
function keptPath(cwd: string, file: string): string | null {
  const root = checkoutRoot(cwd) ?? cwd;
  // The path of a shell's pipe cannot be resolved.
  const path = realPathOf(resolve(cwd, file));
  return path !== undefined && isBelow(path, root) ? relative(root, path).split(sep).join("/") : null;
}

function specFor(project: string, file: string): string {
  const id = slugId(project) ?? (file === STDIN ? null : slugId(basename(file, extname(file))));
  if (id !== null) return id;
  throw new RalphError("spec-missing", "the spec of these tasks is missing", { hint: "specify it with --spec <id>" });
}

/** Keeps only ids and sources, because there may be many tasks. */
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

/** Plans complete tasks. Each keeps its own source, or gets this file. */
function planTasks(tasks: readonly NewTask[], existing: Existing, { file, path }: Omit<ImportSource, "spec">): Plan {
  const plan: Plan = { tasks: [], there: [] };
  const foreignIds: string[] = [];
  for (const task of tasks) {
    const source = sourceOf(task.metadata) ?? { kind: "yaml", path, story: task.id };
    const other = existing.ids.get(task.id.toLowerCase());
    if (other === undefined) plan.tasks.push({ ...task, metadata: { ...task.metadata, source } });
    else if (existing.sources.get(sourceKey(source)) === other) plan.there.push(other);
    else foreignIds.push(other);
  }
  if (foreignIds.length === 0) return plan;
  const what = `${file}: other tasks with another source already have these ids: ${firstNamed(foreignIds)}`;
  throw new RalphError("import-invalid", what, { hint: TAKEN });
}
