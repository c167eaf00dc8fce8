import type { Readable, Writable } from "node:stream";

export type ProcessEvent = NodeJS.Signals | "exit" | "uncaughtExceptionMonitor";

/** The process whose terminal is used; Node's `process` is one. */
export interface TerminalProcess {
  stdin: Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown };
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number; fd?: number };
  env: NodeJS.ProcessEnv;
  pid: number;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  on(event: ProcessEvent, listener: () => void): unknown;
  off(event: ProcessEvent, listener: () => void): unknown;
}

/** Whether a full screen can be shown and single keys be read. */
export const isInteractive = ({ stdin, stdout, env }: TerminalProcess): boolean =>
  Boolean(stdin.isTTY && stdout.isTTY && env.TERM !== "dumb");
