import type { Workspace } from "../../../core/workspace.ts";
import { openBoard } from "../../../runtime/view/board.ts";
import type { Cli } from "../context.ts";
import type { ExecutionConsole } from "./execution-console.ts";
import { scopeOf } from "./execution-footer.ts";

export interface FollowRequest {
  cli: Cli;
  workspace: Workspace;
  screen: ExecutionConsole;
  options: { task?: readonly string[]; spec?: string };
}

export interface Following {
  close(): void;
}

/** Shows the footer of an execution of this process until it is closed. */
export async function followExecution(request: FollowRequest): Promise<Following> {
  const { cli, workspace, screen, options } = request;
  const board = await openBoard(workspace);
  const scope = { only: options.task ?? null, spec: options.spec ?? null };
  const spentUsd = scopeOf(board.view(), scope).reduce((sum, { costUsd }) => sum + costUsd, 0);
  const startedMs = Date.now();
  const { pid } = cli.process;
  board.listen(screen.follow(() => ({ view: board.view(), pid, startedMs, ...scope, spentUsd })).touch);
  return {
    close() {
      screen.close();
      board.close();
    },
  };
}
