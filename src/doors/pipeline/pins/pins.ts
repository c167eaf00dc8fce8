import { createHash } from "node:crypto";
import { RalphError } from "../../../core/errors.ts";
import { definitionOf, definitionText, withDefinition } from "../../../core/task/definition.ts";
import type { Spec, Task } from "../../../core/task/task.ts";
import { type KeptChange, lookAtAll, newBook, type PinBook, type PinRequest } from "./pin-book.ts";

/** What decides the tasks of an execution, as it was when the execution began, or when the task was added. */
export interface Pins {
  /** Looks for what others have changed since, reports it, and sets rows right that do not match their journals. */
  look(): Promise<void>;
  /** A task with what was pinned of it, whatever its row says by now. */
  pinned(task: Task): Task;
  spec(id: string): Promise<Spec | null>;
  /** Whether all that a task was pinned to wait for is done, as the journals say. */
  isUnlocked(task: Task): Promise<boolean>;
  /** Whether it is not to be taken: nobody has written it down, or its journal is damaged. */
  isForeign(id: string): boolean;
  /** Those whose rows say something else by now: what lists make of the rows is not what counts. */
  readonly changed: ReadonlySet<string>;
  /** How many rows lists may name that are not taken. */
  readonly aside: number;
  /** Every change that was kept aside. */
  kept(): KeptChange[];
  /** Deletes what was deleted while the execution had it pinned, and has not been begun. */
  settle(): Promise<void>;
}

/** Pins every task and every spec that is there. */
export async function openPins(request: PinRequest): Promise<Pins> {
  const book = newBook(request);
  const { tasks, store } = request.workspace;
  let seen = await store.revision();
  await lookAtAll(book);
  book.isOpen = true;
  let looking: Promise<void> | null = null;
  const look = async () => {
    const revision = await store.revision();
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

function unlessGone(error: unknown): null {
  if (error instanceof RalphError && (error.code === "task-unknown" || error.code === "journal-damaged")) return null;
  throw error;
}

/** Another task has come to depend on it since: it stays. */
function unlessNeeded(error: unknown): void {
  if (!(error instanceof RalphError)) throw error;
}

/** A digest of what decides a task. */
export const digestOf = (task: Task): string =>
  createHash("sha256")
    .update(definitionText(definitionOf(task)))
    .digest("hex")
    .slice(0, 32);
