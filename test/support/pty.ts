import type { Running, Sandbox } from "./sandbox.ts";
import type { Size } from "./terminal.ts";

/** Runs ralph on its own terminal; its standard output is everything printed there. Arguments are single words. */
export const onTerminal = (box: Sandbox, { columns, rows }: Size, variables: string, ...args: string[]): Running =>
  box.shell(
    `CI= TERM=xterm ${variables} exec script -qefc "stty cols ${columns} rows ${rows}; exec $*" /dev/null`,
    ...args,
  );
