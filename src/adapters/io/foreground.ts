import { spawn } from "node:child_process";

interface ForegroundRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/**
 * Runs a program with our own terminal as its terminal. Ctrl-C is for it alone. Its exit code; 0 where whoever read its
 * output went away, null where it could not be started.
 */
export function runInForeground({ file, args, cwd, env }: ForegroundRequest): Promise<number | null> {
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  return new Promise((resolve) => {
    const end = (code: number | null) => {
      process.off("SIGINT", ignore);
      resolve(code);
    };
    child.once("error", () => end(null));
    child.once("exit", (code, signal) => end(signal === "SIGPIPE" ? 0 : (code ?? 1)));
  });
}
