import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isBelow } from "../../../adapters/io/inside.ts";
import { replaceFile } from "../../../adapters/io/replace-file.ts";
import { messageOf } from "../../../core/errors.ts";
import type { TaskMetadata } from "../../../core/task/task.ts";
import { sourceOf, type TaskSource } from "./source.ts";

type PassedNote =
  | { is: "written"; path: string }
  | { is: "there"; path: string }
  | { is: "refused"; path: string; why: string };

export type MarkableSource = TaskSource & { kind: "prd" | "markdown"; path: string };

/** The file in which to mark a task as done; null if there is none. */
export function markableSource(metadata: TaskMetadata): MarkableSource | null {
  const source = sourceOf(metadata);
  if (source === null || source.path === null) return null;
  const { kind, path, story } = source;
  return kind === "prd" || kind === "markdown" ? { kind, path, story } : null;
}

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Marks a task as done in its source file: `passes: true`, or a ticked box. `root` is the root of a checkout. A path
 * outside it, also through links, is refused, because metadata are untrusted.
 */
export async function writePassed(root: string, { kind, path, story }: MarkableSource): Promise<PassedNote> {
  const refuse = (why: string): PassedNote => ({ is: "refused", path, why });
  try {
    const file = realpathSync(resolve(root, path));
    const top = realpathSync(root);
    if (!isBelow(file, top)) return refuse("it is outside the repository");
    if (isBelow(file, resolve(top, ".git"))) return refuse("it is one of git's own files");
    const found = statSync(file);
    if (!found.isFile() || found.size > MOST_BYTES) return refuse("it is not a file that contains tasks");
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

/** The text of a source file with the task marked as done; null if the task is not in it. */
export const markedText = ({ kind, story }: MarkableSource, text: string): Promise<string | null> =>
  marked(kind, text, story).catch(() => null);

/** Keeps a byte order mark, which is not part of JSON. */
async function marked(kind: MarkableSource["kind"], text: string, story: string): Promise<string | null> {
  const [, mark = "", body = ""] = /^(\uFEFF?)([\s\S]*)$/.exec(text) ?? [];
  const after =
    kind === "prd"
      ? (await import("./prd-passed.ts")).markPassed(body, story)
      : (await import("./markdown.ts")).markChecked(body, story);
  return after === null ? null : `${mark}${after}`;
}
