import { IMPORT_FORMATS, type ImportFormat } from "../../../core/task/import-format.ts";
import type { TaskMetadata } from "../../../core/task/task.ts";

/** Where a task came from, as `metadata.source` keeps it. */
export interface TaskSource {
  kind: ImportFormat;
  /** From the top of the repository; null where it came from elsewhere. */
  path: string | null;
  /** What finds it in the file: its id there, or its text. */
  story: string;
  url?: string;
}

/** What the metadata of a task say about where it came from; null where they say nothing that can be used. */
export function sourceOf({ source }: TaskMetadata): TaskSource | null {
  if (typeof source !== "object" || source === null) return null;
  const { kind, path, story, url }: Partial<Record<keyof TaskSource, unknown>> = source;
  const known = IMPORT_FORMATS.find((name) => name === kind);
  if (known === undefined || typeof story !== "string" || (path !== null && typeof path !== "string")) return null;
  return { kind: known, path, story, ...(typeof url === "string" ? { url } : {}) };
}

/** Equal for what is the same thing in the same place. An issue is the same in whatever file it is exported to. */
export const sourceKey = ({ kind, path, story, url }: TaskSource): string =>
  JSON.stringify(kind === "github" ? [kind, url ?? story] : [kind, path, story]);
