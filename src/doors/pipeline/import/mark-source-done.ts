import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isBelow } from "../../../adapters/io/inside.ts";
import { replaceFile } from "../../../adapters/io/replace-file.ts";
import { messageOf } from "../../../core/errors.ts";
import type { TaskMetadata } from "../../../core/task/task.ts";
import { sourceOf, type TaskSource } from "./source.ts";

/** What became of the note that a task is done. */
type PassedNote =
  | { is: "written"; path: string }
  /** It says so already. */
  | { is: "there"; path: string }
  /** It could not be written, and why. */
  | { is: "refused"; path: string; why: string };

/** A file that a task came from and in which it can be marked as done. */
export type MarkableSource = TaskSource & { kind: "prd" | "markdown"; path: string };

/** Where a task that is done is to be marked; null: nowhere. */
export function markableSource(metadata: TaskMetadata): MarkableSource | null {
  const source = sourceOf(metadata);
  if (source === null || source.path === null) return null;
  const { kind, path, story } = source;
  return kind === "prd" || kind === "markdown" ? { kind, path, story } : null;
}

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Marks a task as done in the file it came from: `passes: true`, or a ticked box. `root` is the top of a checkout; a
 * path that leads out of it, through whatever links, is refused: metadata are a person's, or an agent's.
 */
export async function writePassed(root: string, { kind, path, story }: MarkableSource): Promise<PassedNote> {
  const refuse = (why: string): PassedNote => ({ is: "refused", path, why });
  try {
    const file = realpathSync(resolve(root, path));
    const top = realpathSync(root);
    if (!isBelow(file, top)) return refuse("it is outside of the repository");
    if (isBelow(file, resolve(top, ".git"))) return refuse("it is one of git's own files");
    const found = statSync(file);
    if (!found.isFile() || found.size > MOST_BYTES) return refuse("it is no file that tasks could have come from");
    const before = readFileSync(file, "utf8");
    const after = await marked(kind, before, story);
    if (after === null) return refuse(`${story.slice(0, 80)} is not in it`);
    if (after === before) return { is: "there", path };
    replaceFile(file, after, found.mode & 0o777);
    return { is: "written", path };
  } catch (error) {
    return refuse(messageOf(error));
  }
}

/** The text of such a file with the task marked as done; null where the task is not in it. */
export const markedText = ({ kind, story }: MarkableSource, text: string): Promise<string | null> =>
  marked(kind, text, story).catch(() => null);

/** A file may begin with a byte order mark, which is no part of JSON. */
async function marked(kind: MarkableSource["kind"], text: string, story: string): Promise<string | null> {
  const [, mark = "", body = ""] = /^(\uFEFF?)([\s\S]*)$/.exec(text) ?? [];
  const after =
    kind === "prd"
      ? (await import("./prd-passed.ts")).markPassed(body, story)
      : (await import("./markdown.ts")).markChecked(body, story);
  return after === null ? null : `${mark}${after}`;
}
