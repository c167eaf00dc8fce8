import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killProcessesWith, parentOf } from "./processes.ts";

/** All temporary files of a run are in one folder, removed at its end together with every process that refers to it. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-tests-")));
  process.env.TMPDIR = folder;
  return () => {
    // Vitest ends its own workers.
    killProcessesWith(`TMPDIR=${folder}`, (pid) => parentOf(pid) === process.pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
