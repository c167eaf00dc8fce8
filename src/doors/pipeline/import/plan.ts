import { printable } from "../../../core/ansi.ts";
import { DEFAULT_PRIORITY } from "../../../core/task/document.ts";
import { isId, type NewTask } from "../../../core/task/task.ts";
import { type Imported, importRefused, MOST_PLACED, type TaskDraft } from "./draft.ts";
import { type FreeIds, freeIds, slugId } from "./names.ts";
import { sourceKey, type TaskSource } from "./source.ts";

export interface Existing {
  /** Ids by their lower-case form. */
  ids: ReadonlyMap<string, string>;
  /** The ids of imported tasks by the key of their source. */
  sources: ReadonlyMap<string, string>;
}

export interface Plan {
  tasks: NewTask[];
  there: string[];
}

export interface ImportSource {
  /** The file's name in messages. */
  file: string;
  /** The file's path in the tasks. */
  path: string | null;
  spec: string;
}

interface Known {
  draft: TaskDraft;
  source: TaskSource;
  id: string;
  isThere: boolean;
}

/** Assigns ids, skips existing tasks and resolves dependencies. */
export function planImport({ format, drafts, done }: Imported, existing: Existing, place: ImportSource): Plan {
  const sources = drafts.map(({ story, url }): TaskSource => {
    return { kind: format, path: place.path, story, ...(url === null ? {} : { url }) };
  });
  refuseFaulty(place.file, repeated(drafts));
  refuseFaulty(place.file, foreign(drafts, sources, existing), TAKEN);
  const known = named(drafts, sources, existing);
  const fresh = known.filter(({ isThere }) => !isThere);
  const byName = new Map(known.map(({ draft, id }) => [nameKey(draft.story), id]));
  const finished = new Set(done.map(nameKey));
  const idOf = (name: string) => byName.get(nameKey(name)) ?? existing.ids.get(name.toLowerCase());
  // Issues refer to many things that are not tasks.
  const isLost = (name: string) => format !== "github" && !idOf(name) && !finished.has(nameKey(name));
  const lost = fresh.flatMap(({ draft }) =>
    draft.dependsOn.filter(isLost).map((name) => ({ draft, text: `depends on ${quoted(name)}, ${NOWHERE}` })),
  );
  refuseFaulty(place.file, lost);
  return {
    tasks: fresh.map((one) => taskOf(one, place.spec, one.draft.dependsOn.map(idOf))),
    there: known.filter(({ isThere }) => isThere).map(({ id }) => id),
  };
}

interface Faulty {
  draft: TaskDraft;
  text: string;
}

function refuseFaulty(file: string, faults: readonly Faulty[], hint?: string): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, MOST_PLACED);
  throw importRefused(
    file,
    shown.map(({ draft, text }) => ({ ...draft.place(), text: `${quoted(draft.id ?? draft.title)}: ${text}` })),
    { hint, all: faults.length },
  );
}

export const TAKEN = "`ralph task show <id>` shows that task; change the id in the file, or delete that task";
const NOWHERE = "which is neither in the file nor an existing task";
const quoted = (text: string): string => printable(text).slice(0, 80);
/** `Task 2` may refer to the heading `TASK-2`. */
const nameKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");

function repeated(drafts: readonly TaskDraft[]): Faulty[] {
  const firsts = new Map<string, TaskDraft>();
  return drafts.flatMap((draft): Faulty[] => {
    const key = draft.id?.toLowerCase();
    const first = key === undefined ? undefined : firsts.get(key);
    if (key !== undefined && !first) firsts.set(key, draft);
    if (!first) return [];
    const { line, column } = first.place();
    return [{ draft, text: `given twice, first at ${line}:${column}` }];
  });
}

function foreign(drafts: readonly TaskDraft[], sources: readonly TaskSource[], existing: Existing): Faulty[] {
  return drafts.flatMap((draft, i): Faulty[] => {
    const source = sources[i];
    const other = draft.id === null || !isId(draft.id) ? undefined : existing.ids.get(draft.id.toLowerCase());
    if (other === undefined || (source && existing.sources.get(sourceKey(source)) === other)) return [];
    return [{ draft, text: `the task ${other} already exists and has another source` }];
  });
}

/** Ids from the file come first; generated ids avoid them. */
function named(drafts: readonly TaskDraft[], sources: readonly TaskSource[], existing: Existing): Known[] {
  const given = drafts.flatMap(({ id }) => (id !== null && isId(id) ? [id] : []));
  const free = freeIds([...existing.ids.keys(), ...given]);
  return drafts.flatMap((draft, i) => {
    const source = sources[i];
    if (source === undefined) return [];
    const there = existing.sources.get(sourceKey(source));
    return [{ draft, source, id: there ?? idFor(draft.id, free), isThere: there !== undefined }];
  });
}

function idFor(id: string | null, free: FreeIds): string {
  if (id !== null && isId(id)) return id;
  const slug = id === null ? null : slugId(id);
  return slug === null ? free.next() : free.like(slug);
}

const taskOf = ({ draft, source, id }: Known, specId: string, needs: readonly (string | undefined)[]): NewTask => ({
  id,
  specId,
  title: draft.title,
  description: draft.description,
  priority: draft.priority ?? DEFAULT_PRIORITY,
  dependencies: [...new Set(needs.filter((id) => id !== undefined))],
  assignee: draft.assignee,
  metadata: { source },
  completionSpec: {
    outcome: draft.outcome,
    // Without criteria, the outcome is the only criterion.
    acceptance_criteria: draft.criteria.length > 0 ? [...draft.criteria] : [draft.outcome],
  },
});
