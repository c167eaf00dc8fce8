import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { commitFile } from "../../../adapters/git/commit-tree.ts";
import { headOf } from "../../../adapters/git/repository.ts";
import { isTracked } from "../../../adapters/git/tracked.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { isBelow } from "../../../adapters/io/inside.ts";
import { replaceFile } from "../../../adapters/io/replace-file.ts";
import { messageOf } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import type { TaskMetadata } from "../../../core/task/task.ts";
import type { TaskWork } from "../../../core/task/work.ts";
import type { TaskContext } from "../context.ts";
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

/** Marks a task in its source file. A path outside `root`, also through links, is refused: metadata are untrusted. */
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

const SUBJECT_CHARS = 100;

/** Marks the task in its source file, if git tracks it, so that the mark is merged. Returns the branch's commit. */
export async function markInWork(context: TaskContext, { worktree }: TaskWork, head: string): Promise<string> {
  const { ledger, view } = context;
  const source = markableSource(ledger.task.metadata);
  if (!source || !(await isTracked(worktree, source.path))) return head;
  const note = await writePassed(worktree, source);
  if (note.is === "refused") view.say(ledger.task.id, `${note.path} was not marked: ${note.why}`);
  if (note.is !== "written") return head;
  const subject = shorten(`${ledger.task.id}: done in ${source.path}`, SUBJECT_CHARS);
  const why = await commitFile({ root: worktree, path: source.path, subject });
  if (why !== null) view.say(ledger.task.id, `${source.path} was not marked: ${why}`);
  return headOf(worktree);
}

/** Marks the task as done in the user's checkout, for a file that git does not track. */
export async function markInCheckout(context: TaskContext, { worktree }: TaskWork): Promise<void> {
  const { ledger, view, cwd } = context;
  const source: MarkableSource | null = markableSource(ledger.task.metadata);
  if (!source || (await isTracked(worktree, source.path))) return;
  const note = await writePassed(checkoutRoot(cwd) ?? cwd, source);
  if (note.is === "refused") view.say(ledger.task.id, `${note.path} was not marked: ${note.why}`);
}
