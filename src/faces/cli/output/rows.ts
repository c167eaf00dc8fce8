import { wrapCells } from "../../terminal/cells.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";

const NAME_CELLS = 10;

/** Named values, one below the other; a long value continues below its beginning, and never breaks inside a word. */
export function printRows(cli: Cli, rows: readonly (readonly [name: string, value: string])[]): void {
  for (const [name, value] of rows) {
    const lines = wrapCells(value, cli.width() - NAME_CELLS).replaceAll("\n", `\n${" ".repeat(NAME_CELLS)}`);
    cli.printLine(`${paint("dim", name.padEnd(NAME_CELLS - 1))} ${lines}`);
  }
}
