import { spawn } from "node:child_process";
import { environment } from "./environment.ts";

interface ForegroundRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** Leaves Ctrl-C to the program. Returns its exit code, 0 if its reader is gone, or null if it could not be started. */
export function runInForeground({ file, args, cwd, env }: ForegroundRequest): Promise<number | null> {
  const child = spawn(file, args, { cwd, env: { ...environment(), ...env }, stdio: "inherit" });
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
