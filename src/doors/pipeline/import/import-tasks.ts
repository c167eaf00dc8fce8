import type { ImportFormat } from "../../../core/task/import-format.ts";
import type { Imported } from "./draft.ts";
import { importGithub } from "./github.ts";
import { importMarkdown } from "./markdown.ts";
import { importPrd } from "./prd.ts";

type Readable = Exclude<ImportFormat, "yaml">;

const READERS: Readonly<Record<Readable, (text: string, path: string) => Imported>> = {
  prd: importPrd,
  markdown: importMarkdown,
  github: importGithub,
};

/** Reads a list of tasks in one format. Throws a RalphError that lists every mistake with its position. */
export const importTasks = (text: string, path: string, format: Readable): Imported => READERS[format](text, path);
