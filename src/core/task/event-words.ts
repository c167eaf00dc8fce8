import { printable } from "../ansi.ts";
import { counted, shorten } from "../excerpt.ts";
import type { TaskEvent } from "./events.ts";

const MOST_CHARS = 200;
const COMMIT_CHARS = 10;

/** An event of a task, on one line. */
export const taskEventWords = (event: TaskEvent): string => shorten(printable(wordsOf(event)), MOST_CHARS);

function wordsOf(e: TaskEvent): string {
  switch (e.type) {
    case "task.taken":
      return `taken by execution ${e.execution}: ${e.stages.join(", ")}`;
    case "work.prepared":
      return `branch ${e.work.branch} created at ${e.work.base.slice(0, COMMIT_CHARS)}, for ${e.work.target}`;
    case "stage.began":
      return `${e.place} began: loop ${e.loop}`;
    case "stage.ended":
      return `${e.place} ended ${e.reason} after ${counted(e.iterations, "iteration")}${tail(e.findings[0] ?? e.detail)}`;
    case "work.updated":
      return `${e.onto.slice(0, COMMIT_CHARS)} merged into its branch${tail(e.conflicts.length > 0 ? `conflicts in ${e.conflicts.join(", ")}` : "")}`;
    case "merge.refused":
      return `merge refused${tail(e.findings[0] ?? "")}`;
    case "merge.proven":
      return `merge proven: ${e.commit.slice(0, COMMIT_CHARS)}`;
    case "task.merged":
      return `merged: ${e.commit.slice(0, COMMIT_CHARS)}`;
    case "merge.waits":
      return `merge waits: ${e.why}`;
    case "task.left":
      return `its execution stopped: ${e.why}`;
    case "task.blocked":
      return `blocked: ${e.why}`;
    case "task.added":
      return `created by ${e.by}`;
    case "task.restored":
      return `removed from the database, and restored by ${e.by}`;
    case "task.proposed":
      return `proposed by ${e.by}`;
    case "task.accepted":
      return `accepted by ${e.by}`;
    case "task.cancelled":
      return `cancelled by ${e.by}`;
    case "task.retried":
      return `set back to todo by ${e.by}`;
    case "task.restarted":
      return `begun again with the present settings by ${e.by}`;
    case "task.dropped":
      return `dropped by ${e.by}`;
  }
}

const tail = (text: string): string => (text === "" ? "" : `: ${text}`);
