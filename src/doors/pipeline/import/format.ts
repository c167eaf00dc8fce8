import { RalphError } from "../../../core/errors.ts";
import { jsonIn } from "../../../core/json-text.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../../../core/task/import-format.ts";
import type { Imported } from "./draft.ts";
import { importGithub } from "./github.ts";
import { importMarkdown } from "./markdown.ts";
import { importPrd, storyKey } from "./prd.ts";

/** The format of a file, by its name and content. */
export function formatOf(text: string, path: string): ImportFormat {
  if (/\.(?:md|mdx|markdown)$/i.test(path)) return "markdown";
  if (/\.ya?ml$/i.test(path)) return "yaml";
  const value = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
  if (value !== undefined) return kindOfJson(value) ?? unknownFormat(path);
  // Broken JSON is reported with its position later.
  if (/\.json$/i.test(path)) return "prd";
  if (/^(?:- )?(?:task|tasks|id|spec_id|title|completion):/m.test(text)) return "yaml";
  return /^[ \t]*(?:#{1,6}[ \t]|[-*+][ \t]+\[.\][ \t])/m.test(text) ? "markdown" : unknownFormat(path);
}

function kindOfJson(value: unknown): ImportFormat | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== "object" || first === null) return Array.isArray(value) ? "prd" : null;
  if ("number" in first && "title" in first) return "github";
  if (["task", "tasks", "completion", "completion_spec", "spec_id"].some((key) => key in first)) return "yaml";
  return storyKey(value) === undefined ? null : "prd";
}

function unknownFormat(path: string): never {
  throw new RalphError("import-format", `${path}: unknown format`, {
    hint: `specify it with --format ${IMPORT_FORMATS.join("|")}`,
  });
}

type Readable = Exclude<ImportFormat, "yaml">;

const READERS: Readonly<Record<Readable, (text: string, path: string) => Imported>> = {
  prd: importPrd,
  markdown: importMarkdown,
  github: importGithub,
};

/** Reads a list of tasks in one format. Throws a RalphError that lists every mistake with its position. */
export const importTasks = (text: string, path: string, format: Readable): Imported => READERS[format](text, path);
