import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileError } from "../../adapters/io/folder.ts";
import { ralphFolder } from "../../adapters/io/ralph-folder.ts";
import { changesIn, type LoopChange } from "../../core/loop/kind.ts";
import type { LoopStore } from "../../core/loop/store.ts";
import { iterationLog } from "../../core/task/execution-log.ts";

/** Writes `.ralph/execution.jsonl`: one line for each iteration of a task's loops. */
export interface ExecutionLog {
  /** Follows a loop. Iterations that are missing in the log are written first. */
  follow(loop: string): Promise<(change: LoopChange) => void>;
}

/** How much of the log's end is searched for a loop's lines. */
const TAIL_BYTES = 256 * 1_024;

export function openExecutionLog(cwd: string, store: Pick<LoopStore, "entries">): ExecutionLog {
  const path = join(ralphFolder(cwd), "execution.jsonl");
  const write = (line: object | null) => {
    if (!line) return;
    try {
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    } catch (error) {
      throw fileError(error, path);
    }
  };
  return {
    async follow(loop) {
      const read = iterationLog();
      const logged = loggedUntil(path, loop);
      for await (const change of changesIn(store.entries(loop))) {
        const line = read(change);
        if (line && line.ralph_iteration > logged) write(line);
      }
      return (change) => write(read(change));
    },
  };
}

/** The last logged iteration of a loop. A killed driver may have missed some. */
function loggedUntil(path: string, loop: string): number {
  if (!existsSync(path)) return 0;
  const lines = tailOf(path)
    .split("\n")
    .filter((line) => line.includes(`"loop":"${loop}"`));
  return Math.max(0, ...lines.map((line) => Number(/"ralph_iteration":(\d+)/.exec(line)?.[1] ?? 0)));
}

function tailOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8");
  } finally {
    closeSync(file);
  }
}
