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

/** What is missing to show a full screen and read single keys; null if nothing is. */
export function missingTerminal({ stdin, stdout, env }: TerminalProcess): string | null {
  if (!stdin.isTTY || !stdout.isTTY) return "a terminal, for both its input and its output";
  return env.TERM === "dumb" ? "a terminal that can move its cursor; TERM is dumb" : null;
}
