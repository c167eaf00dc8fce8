import { boardCommand } from "./commands/board.ts";
import { openContext } from "./context.ts";
import { endWithTerminal } from "./end-with-terminal.ts";

/** `ralph board` without options, which needs no parser: the first frame comes a fifth sooner. */
export async function startBoard(own: NodeJS.Process): Promise<number> {
  endWithTerminal(own);
  const cli = openContext(own);
  try {
    return await boardCommand(cli, {});
  } catch (error) {
    return (await import("./run-cli.ts")).reportFailure(cli, error);
  }
}
