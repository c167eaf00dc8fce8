import { spawn } from "node:child_process";
import { cut, excerpt } from "../../core/excerpt.ts";

interface HostProgramRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The request, as one line. */
  line: string;
  /** Closes the program's input, which makes it exit without an answer. */
  signal: AbortSignal;
}

interface HostProgramReply {
  /** Null if it could not be started or was killed. */
  code: number | null;
  stdout: string;
  /** The end of its error output, or why it could not be started. */
  stderr: string;
}

const MOST_CHARS = 4 << 20;
const ERROR_CHARS = 4_000;

/** Asks a program and waits without a limit. Its input stays open, so it notices when this process dies. */
export function askProgram({ file, args, cwd, line, signal }: HostProgramRequest): Promise<HostProgramReply> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const stdout = excerpt(MOST_CHARS);
    const stderr = excerpt(ERROR_CHARS);
    const leave = () => child.stdin.end();
    const end = (code: number | null, error = stderr.text()) => {
      signal.removeEventListener("abort", leave);
      resolve({ code, stdout: stdout.text(), stderr: cut(error.trim(), ERROR_CHARS) });
    };
    child.once("error", (error) => end(null, error.message));
    child.once("close", (code) => end(code));
    child.stdout.setEncoding("utf8").on("data", stdout.add);
    child.stderr.setEncoding("utf8").on("data", stderr.add);
    // A program that exits before it has read everything reports the reason itself.
    child.stdin.on("error", () => undefined);
    child.stdin.write(`${line}\n`);
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
  });
}
