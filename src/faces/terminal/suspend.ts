import type { TerminalProcess } from "./terminal-process.ts";

interface Suspending {
  /** Clears the screen for the shell. */
  leave(): Promise<void> | undefined;
  /** The process was continued, or could not be stopped. */
  enter(): void;
}

/** By then a process that can be stopped is. The kernel ignores the request if no shell could continue it. */
const STOP_MS = 200;

/** Handles Ctrl-Z of a screen: the shell finds a clean terminal, and `fg` the screen again. Returns what undoes it. */
export function catchSuspend(own: TerminalProcess, { leave, enter }: Suspending): () => void {
  let isCaught = false;
  const listen = () => {
    if (!isCaught) own.on("SIGTSTP", suspend);
    isCaught = true;
  };
  const unlisten = () => {
    own.off("SIGTSTP", suspend);
    isCaught = false;
  };
  const resume = () => {
    listen();
    enter();
  };
  async function suspend() {
    unlisten();
    await leave();
    // Without a listener this stops the process.
    own.kill(own.pid, "SIGTSTP");
    setTimeout(() => {
      if (!isCaught && !isOver) resume();
    }, STOP_MS);
  }
  let isOver = false;
  listen();
  own.on("SIGCONT", resume);
  return () => {
    isOver = true;
    unlisten();
    own.off("SIGCONT", resume);
  };
}
