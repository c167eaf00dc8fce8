import { createHash } from "node:crypto";
import { nullOn, RalphError } from "../../../core/errors.ts";
import { definitionOf, definitionText, withDefinition } from "../../../core/task/definition.ts";
import type { Spec, Task } from "../../../core/task/task.ts";
import { type KeptChange, lookAtAll, newBook, type PinBook, type PinRequest } from "./pin-book.ts";

/** The definitions of an execution's tasks from when it started, or when a task was added. */
export interface Pins {
  /** Reports changes by other processes and corrects rows that contradict their journals. */
  look(): Promise<void>;
  /** A task with its pinned definition, whatever its row is now. */
  pinned(task: Task): Task;
  spec(id: string): Promise<Spec | null>;
  /** Whether all pinned dependencies of a task are done according to their journals. */
  isUnlocked(task: Task): Promise<boolean>;
  /** Whether a task must not run: no journal has recorded it, or its journal is damaged. */
  isForeign(id: string): boolean;
  /** Tasks whose rows have changed, so that lists do not show the pinned version. */
  readonly changed: ReadonlySet<string>;
  /** How many listed rows may not be runnable. */
  readonly aside: number;
  kept(): KeptChange[];
  /** Deletes tasks that were deleted during the execution and have not been started. */
  settle(): Promise<void>;
}

export async function openPins(request: PinRequest): Promise<Pins> {
  const book = newBook(request);
  const { tasks, news } = request.workspace;
  let seen = await news.revision();
  await lookAtAll(book);
  book.isOpen = true;
  let looking: Promise<void> | null = null;
  const look = async () => {
    const revision = await news.revision();
    if (revision === seen) return;
    await lookAtAll(book);
    seen = revision;
  };
  return {
    look() {
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
    pinned(row) {
      const pin = book.pins.get(row.id);
      return pin ? withDefinition(row, pin.definition) : row;
    },
    async spec(id) {
      if (!book.specs.has(id)) book.specs.set(id, await tasks.spec(id));
      return book.specs.get(id) ?? null;
    },
    isUnlocked: (row) => isUnlocked(book, row),
    isForeign: (id) => book.foreign.has(id),
    changed: book.changed,
    get aside() {
      return book.changed.size + book.foreign.size;
    },
    kept: () => [...book.kept.values()],
    settle: () => settle(book),
  };
}

async function isUnlocked({ pins, done, workspace }: PinBook, row: Task): Promise<boolean> {
  const { dependencies } = pins.get(row.id)?.definition ?? row;
  for (const needed of dependencies) {
    if (done.has(needed)) continue;
    const there = await workspace.tasks.load(needed).catch(unlessGone);
    if (there?.state.status !== "done") return false;
    done.add(needed);
  }
  return true;
}

async function settle({ deleted, acceptChanges, workspace: { tasks } }: PinBook): Promise<void> {
  for (const id of acceptChanges ? [] : deleted) {
    const there = await tasks.load(id).catch(unlessGone);
    if (!there || there.state.work !== null || there.state.status === "done") continue;
    await tasks.remove(id).catch(unlessNeeded);
  }
}

const unlessGone = nullOn("task-unknown", "journal-damaged");

/** Another task depends on it by now, so it stays. */
function unlessNeeded(error: unknown): void {
  if (!(error instanceof RalphError)) throw error;
}

export const taskDigest = (task: Task): string =>
  createHash("sha256")
    .update(definitionText(definitionOf(task)))
    .digest("hex")
    .slice(0, 32);
