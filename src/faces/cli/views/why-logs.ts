import { basename, dirname } from "node:path";
import { printable } from "../../../core/ansi.ts";
import type { CheckResult } from "../../../core/loop/events.ts";
import type { Explained } from "../../../core/why.ts";
import { paint } from "../../terminal/paint.ts";

/** Collects where the output of agents and failing checks is, in bounded memory. */
export interface LogList {
  add(explained: Explained): void;
  lines(): string[];
}

interface Log {
  folder: string;
  words: string;
}

/** The last ones are enough: the others are beside them, with their iteration in their name. */
const MOST = 20;

export function logList(): LogList {
  const logs: Log[] = [];
  let earlier = 0;
  const add = (path: string | null | undefined, what: string) => {
    if (!path) return;
    logs.push({ folder: dirname(path), words: `${printable(basename(path))}  ${printable(what)}` });
    if (logs.length <= MOST) return;
    logs.shift();
    earlier += 1;
  };
  const addChecks = (results: readonly CheckResult[]) => {
    for (const { is, log, command, name } of results) if (is !== "pass") add(log, command || name);
  };
  return {
    add(explained) {
      if (explained.is === "baseline") return addChecks(explained.results);
      const { log, n, attempt, guards, verdicts } = explained;
      const again = attempt > 1 ? `, attempt ${attempt}` : "";
      add(log?.path, `the agent in iteration ${n}${again}, from byte ${log?.from ?? 0}`);
      addChecks(guards);
      for (const { checks } of verdicts) addChecks(checks);
    },
    lines() {
      if (logs.length === 0) return [];
      const lines: string[] = [];
      let folder = "";
      for (const log of logs) {
        if (log.folder !== folder) lines.push(`${paint("bold", "logs")}  ${log.folder}`);
        folder = log.folder;
        lines.push(`  ${log.words}`);
      }
      return earlier > 0 ? [...lines, paint("dim", `  … and ${earlier} earlier ones in the same folder`)] : lines;
    },
  };
}
