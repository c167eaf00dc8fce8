import type { Running, Sandbox } from "./sandbox.ts";
import type { Size } from "./terminal.ts";

/** Runs ralph on a terminal of its own; its standard output is all that is printed there. Arguments are single words. */
export const onTerminal = (box: Sandbox, { columns, rows }: Size, variables: string, ...args: string[]): Running =>
  box.shell(
    `CI= TERM=xterm ${variables} exec script -qefc "stty cols ${columns} rows ${rows}; exec $*" /dev/null`,
    ...args,
  );
