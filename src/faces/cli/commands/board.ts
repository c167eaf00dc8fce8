import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { requireSpec } from "../../../engine/named.ts";
import { boardOf, openBoard } from "../../../runtime/view/board.ts";
import { showBoard } from "../../board/board.ts";
import { missingTerminal } from "../../terminal/terminal-process.ts";
import type { Cli } from "../context.ts";
import { textsOf } from "../live/board-texts.ts";

interface BoardOptions {
  spec?: string;
  json?: boolean;
}

export async function boardCommand(cli: Cli, { spec, json = false }: BoardOptions): Promise<number> {
  const missing = json ? null : missingTerminal(cli.process);
  if (missing) {
    throw new RalphError("usage", `ralph board needs ${missing}`, {
      hint: "use `ralph status` or `ralph task list` for text, `ralph board --json` for a program, `ralph serve` for a browser",
    });
  }
  const workspace = await openWorkspace(cli.cwd());
  try {
    if (spec !== undefined) await requireSpec(workspace.tasks, spec);
    return await onBoard(cli, workspace, { spec: spec ?? null, json });
  } finally {
    workspace.close();
  }
}

async function onBoard(cli: Cli, workspace: Workspace, { spec, json }: { spec: string | null; json: boolean }) {
  const whole = await openBoard(workspace);
  const board = boardOf(whole, { spec });
  try {
    if (json) {
      cli.printJson(board.view());
      return EXIT.verified;
    }
    const { why, worktrees } = await showBoard({ process: cli.process, workspace, board, texts: textsOf(cli), spec });
    for (const folder of worktrees) cli.printLine(folder);
    return why === "quit" ? EXIT.verified : EXIT.interrupted;
  } finally {
    board.close();
  }
}
