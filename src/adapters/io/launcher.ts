import { type ChildProcess, spawn } from "node:child_process";
import { quoted } from "../../core/shell.ts";
import { environment, RUN_VARIABLE } from "./environment.ts";
import { findOnPath } from "./find-on-path.ts";
import { lineSplitter } from "./lines.ts";

interface LaunchRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** An existing file for its output. */
  log: string;
}

/** Starts programs that outlive this process. */
export interface Launcher {
  /** Resolves to its exit code; null: it was not seen to exit, because the launcher is gone. */
  launch(request: LaunchRequest): { exited: Promise<number | null> };
  /** What was launched continues. */
  close(): void;
}

const MOST_LINE_BYTES = 100;

/**
 * A small shell starts the programs. It must be opened before this process drives loops: from then on, everything that
 * this process starts itself is known to descend from a driver, and may not drive loops of its own.
 */
export function openLauncher(): Launcher {
  const waiting = new Map<number, (code: number | null) => void>();
  const shell = startShell((n, code) => waiting.get(n)?.(code));
  let last = 0;
  let isOpen = true;
  const gone = () => {
    isOpen = false;
    for (const end of waiting.values()) end(null);
  };
  for (const event of ["error", "close"]) shell.once(event, gone);
  return {
    launch(request) {
      const n = ++last;
      const exited = new Promise<number | null>((resolve) => {
        waiting.set(n, (code) => {
          waiting.delete(n);
          resolve(code);
        });
        if (isOpen) shell.stdin?.write(commandOf(request, n));
        else waiting.get(n)?.(null);
      });
      return { exited };
    },
    close() {
      isOpen = false;
      shell.stdin?.end();
      shell.stdout?.destroy();
      shell.unref();
    },
  };
}

function startShell(ended: (n: number, code: number) => void): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...environment() };
  delete env[RUN_VARIABLE];
  const shell = spawn("sh", ["-s"], { detached: true, stdio: ["pipe", "pipe", "ignore"], env, cwd: "/" });
  // The shell may have been killed; writes are lost then.
  shell.stdin.on("error", () => undefined);
  const lines = lineSplitter(MOST_LINE_BYTES, (line) => {
    const [n = "", code = ""] = line.toString().split(" ");
    ended(Number(n), Number(code));
  });
  shell.stdout.on("data", lines.add);
  return shell;
}

/** Each program has a process group of its own, where the system has a program for that. */
function commandOf({ file, args, cwd, env, log }: LaunchRequest, n: number): string {
  const names = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)};`);
  const alone = findOnPath("setsid", cwd) === null ? "" : "setsid ";
  const program = [file, ...args].map(quoted).join(" ");
  const run = `cd ${quoted(cwd)} || exit 127; ${names.join(" ")} exec ${alone}${program}`;
  return `jobs >/dev/null; { (${run}) </dev/null >>${quoted(log)} 2>&1; echo "${n} $?"; } &\n`;
}
