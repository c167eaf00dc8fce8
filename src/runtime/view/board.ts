import { openWorkspace } from "../../adapters/store/workspace.ts";
import { printable } from "../../core/ansi.ts";
import type { BoardChange, BoardView } from "../../core/view/board.ts";
import { type Scope, scoped } from "../../core/view/filter.ts";
import type { Workspace } from "../../core/workspace.ts";
import { NO_VIEW } from "./board-model.ts";
import { openReader } from "./board-reader.ts";

/** What everybody looks at, and its changes. Looking never takes a lease. */
export interface Board {
  view(): BoardView;
  /** The listener must not throw. Changes come a few times a second at most. */
  listen(listener: (change: BoardChange, view: BoardView) => void): { close(): void };
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

/** How often to ask whether anything was written, which takes microseconds. */
const LOOK_MS = 75;
/** The least time between two changes. */
const PACE_MS = 150;

/**
 * Opens the view of a workspace and keeps it up to date. It reads through a connection of its own, so that it is
 * notified of what this process writes too. Does not keep the process alive.
 */
export async function openBoard({ cwd, folder }: Pick<Workspace, "cwd" | "folder">): Promise<Board> {
  const reader = openReader(() => openWorkspace(cwd, { stateDir: folder.root }), folder);
  const listeners = new Set<(change: BoardChange, view: BoardView) => void>();
  let view: BoardView = (await reader.refresh(NO_VIEW))?.view ?? NO_VIEW;
  let isLooking = false;
  let isClosed = false;
  let changedMs = 0;
  let problem: string | null = null;

  async function look(): Promise<void> {
    const found = await reader.refresh(view);
    problem = null;
    if (!found || isClosed) return;
    changedMs = Date.now();
    view = found.view;
    for (const listener of [...listeners]) listener(found.change, view);
  }

  const timer = setInterval(() => {
    if (isLooking || Date.now() - changedMs < PACE_MS) return;
    isLooking = true;
    look()
      // The database is busy, replaced or damaged: the next look is soon.
      .catch((error: unknown) => {
        problem = printable(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        isLooking = false;
        if (isClosed) reader.close();
      });
  }, LOOK_MS).unref();

  return {
    view: () => view,
    problem: () => problem,
    listen(listener) {
      const own: typeof listener = (...heard) => listener(...heard);
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
