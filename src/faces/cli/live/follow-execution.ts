import { messageOf } from "../../../core/errors.ts";
import { scoped } from "../../../core/view/filter.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { type Board, boardOf, openBoard } from "../../../runtime/view/board.ts";
import type { Cli } from "../context.ts";
import type { ExecutionConsole } from "./execution-console.ts";
import type { Footer } from "./execution-footer.ts";

export interface FollowRequest {
  cli: Cli;
  workspace: Pick<Workspace, "cwd" | "folder">;
  screen: ExecutionConsole;
  options: { task?: readonly string[]; spec?: string; board?: boolean };
}

export interface Following {
  close(): Promise<void>;
}

/**
 * Shows the footer of an execution of this process until it is closed; or the board first, until the user quits it. Null:
 * neither can be shown. The execution prints its lines in any case.
 */
export async function followExecution(request: FollowRequest): Promise<Following | null> {
  const { workspace, screen, options } = request;
  try {
    return followed(request, await openBoard(workspace));
  } catch (error) {
    screen.view.say(null, `cannot show ${options.board ? "the board" : "the footer"}: ${messageOf(error)}`);
    return null;
  }
}

function followed(request: FollowRequest, board: Board): Following {
  const { cli, screen, options } = request;
  const scope = { only: options.task ?? null, spec: options.spec ?? null };
  const spentUsd = scoped(board.view(), scope).totals.costUsd;
  const own = { pid: cli.process.pid, startedMs: Date.now(), ...scope, spentUsd };
  const footer = (): Footer => ({ view: board.view(), ...own });
  const follow = () => board.listen(screen.follow(footer).touch);
  const over = new AbortController();
  const shown = options.board
    ? onBoard(request, board, over.signal).finally(() => over.signal.aborted || follow())
    : void follow();
  return {
    async close() {
      over.abort();
      await shown;
      screen.close();
      board.close();
    },
  };
}

/** What the execution prints meanwhile is kept for afterwards. Never rejects: the execution continues. */
async function onBoard({ cli, workspace, screen, options }: FollowRequest, board: Board, over: AbortSignal) {
  const spec = options.spec ?? null;
  screen.hold();
  try {
    const [{ showBoard }, { textsOf }] = await Promise.all([
      import("../../board/board.ts"),
      import("./board-texts.ts"),
    ]);
    const { worktrees } = await showBoard({
      ...{ process: cli.process, workspace, texts: textsOf(cli), spec },
      board: boardOf(board, { spec }),
      over,
      // As the terminal would without the board; the screen closes, and the signal stops the execution.
      interrupt: () => void cli.process.kill(0, "SIGINT"),
    });
    screen.release(worktrees);
  } catch (error) {
    screen.release([`! the board has failed: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
