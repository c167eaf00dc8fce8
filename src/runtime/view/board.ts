import { openWorkspace } from "../../adapters/store/workspace.ts";
import { printable } from "../../core/ansi.ts";
import { messageOf } from "../../core/errors.ts";
import { type BoardChange, type BoardView, NO_VIEW } from "../../core/view/board.ts";
import { type Scope, scoped } from "../../core/view/filter.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openReader } from "./board-reader.ts";

/** What everybody looks at, and its changes. Looking never takes a lease. */
export interface Board {
  view(): BoardView;
  /** Changes come a few times a second at most. `onProblem` is called when `problem` changes. */
  listen(listener: Listener, onProblem?: (problem: string | null) => void): { close(): void };
  /** Why the last look failed; null if it did not. It is repeated until it does not. */
  problem(): string | null;
  close(): void;
}

/** The same with some of the tasks. */
export const boardOf = (board: Board, scope: Scope): Board => ({
  ...board,
  view: () => scoped(board.view(), scope),
  listen: (listener) => board.listen((change, view) => listener(change, scoped(view, scope))),
});

type Listener = (change: BoardChange, view: BoardView) => void;

/** How often to ask whether anything was written, which takes microseconds. */
const LOOK_MS = 100;
/** The least time between two changes. */
const PACE_MS = 150;

/**
 * Opens the view of a workspace and keeps it up to date. It reads through a connection of its own, so that it is
 * notified of what this process writes too. Does not keep the process alive.
 */
export async function openBoard({ cwd, folder }: Pick<Workspace, "cwd" | "folder">): Promise<Board> {
  const reader = openReader(() => openWorkspace(cwd, { stateDir: folder.root }), folder);
  const listeners = new Set<{ listener: Listener; onProblem?: (problem: string | null) => void }>();
  let view: BoardView = (await reader.refresh(NO_VIEW))?.view ?? NO_VIEW;
  let isLooking = false;
  let isClosed = false;
  let changedMs = 0;
  let problem: string | null = null;

  function show({ change, view: after }: { change: BoardChange; view: BoardView }): void {
    changedMs = Date.now();
    view = after;
    for (const { listener } of [...listeners]) guarded(() => listener(change, after));
  }
  function report(found: string | null): void {
    if (found === problem) return;
    problem = found;
    for (const { onProblem } of [...listeners]) guarded(() => onProblem?.(found));
  }

  const timer = setInterval(() => {
    if (isLooking || Date.now() - changedMs < PACE_MS) return;
    isLooking = true;
    reader
      .refresh(view)
      .then((found) => {
        report(null);
        if (found && !isClosed) show(found);
      })
      // The database is busy, replaced or damaged: the next look is soon.
      .catch((error: unknown) => report(printable(messageOf(error))))
      .finally(() => {
        isLooking = false;
        if (isClosed) reader.close();
      });
  }, LOOK_MS).unref();

  return {
    view: () => view,
    problem: () => problem,
    listen(listener, onProblem) {
      const own = { listener, ...(onProblem ? { onProblem } : {}) };
      listeners.add(own);
      return { close: () => void listeners.delete(own) };
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      listeners.clear();
      if (!isLooking) reader.close();
    },
  };
}

/** A listener that fails has a bug: the others are called, and the journal has no problem. */
function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
