import { IMPORT_FORMATS, type ImportFormat } from "../../../core/task/import-format.ts";
import type { TaskMetadata } from "../../../core/task/task.ts";

/** The source of a task, as stored in `metadata.source`. */
export interface TaskSource {
  kind: ImportFormat;
  /** Relative to the repository's root; null if it is outside. */
  path: string | null;
  /** Identifies it in the file: its id or its text. */
  story: string;
  url?: string;
}

/** The source in a task's metadata; null if there is no valid one. */
export function sourceOf({ source }: TaskMetadata): TaskSource | null {
  if (typeof source !== "object" || source === null) return null;
  const { kind, path, story, url }: Partial<Record<keyof TaskSource, unknown>> = source;
  const known = IMPORT_FORMATS.find((name) => name === kind);
  if (known === undefined || typeof story !== "string" || (path !== null && typeof path !== "string")) return null;
  return { kind: known, path, story, ...(typeof url === "string" ? { url } : {}) };
}

/** Equal for the same story in the same file. An issue is the same in every exported file. */
export const sourceKey = ({ kind, path, story, url }: TaskSource): string =>
  JSON.stringify(kind === "github" ? [kind, url ?? story] : [kind, path, story]);
