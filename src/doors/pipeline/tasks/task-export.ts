import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "yaml";
import { RalphError } from "../../../core/errors.ts";
import { taskDocument } from "../../../core/task/document.ts";
import type { Task } from "../../../core/task/task.ts";

export type ExportFormat = "yaml" | "json";

/** Exports tasks one by one as a text that can be imported again, in bounded memory. */
export async function* exportedText(tasks: AsyncIterable<Task>, format: ExportFormat): AsyncGenerator<string> {
  const write = format === "json" ? jsonItem : yamlItem;
  let first = true;
  for await (const task of tasks) {
    yield write(taskDocument(task), first);
    first = false;
  }
  if (format === "json") yield first ? "[]\n" : "\n]\n";
  else if (first) yield "[]\n";
}

const jsonItem = (document: unknown, first: boolean): string => `${first ? "[\n" : ",\n"}${JSON.stringify(document)}`;

/** Without folding and aliases, so that every task can be read separately. */
const yamlItem = (document: unknown, first: boolean): string =>
  `${first ? "" : "\n"}${stringify([document], { lineWidth: 0, aliasDuplicateObjects: false })}`;

/** Writes a text to a file, completely or not at all. */
export async function writeWhole(file: string, cwd: string, text: AsyncIterable<string>): Promise<void> {
  const path = resolve(cwd, file);
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await pipeline(Readable.from(text), createWriteStream(unfinished, { flags: "wx" }));
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new RalphError("file-unwritable", `cannot write ${file}: ${cause.message}`, {
      hint: "specify a file in an existing, writable folder",
      cause,
    });
  }
}
