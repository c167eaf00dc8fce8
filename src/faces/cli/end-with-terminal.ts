import { isatty } from "node:tty";

/** Node aborts when it cannot restore a terminal that is gone. The signal that was sent for it ends it quietly. */
export function endWithTerminal(own: NodeJS.Process): void {
  const terminals = [0, 1, 2].filter(isatty);
  if (terminals.length === 0) return;
  own.on("exit", () => {
    if (terminals.every(isatty)) return;
    own.removeAllListeners("SIGHUP");
    own.kill(own.pid, "SIGHUP");
  });
}
