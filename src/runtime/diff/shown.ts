import { printable } from "../../core/ansi.ts";
import type { Workspace } from "../../core/workspace.ts";
import { comparedFiles, patchOf, type ShownFile } from "./changes.ts";
import { type Comparison, loopComparison, taskComparison } from "./comparison.ts";

/** A diff as a whole, bounded. Paths and patch are as git has them: not for a terminal. */
export interface ShownDiff {
  files: {
    path: string;
    from?: string;
    status: ShownFile["change"];
    decides: ShownFile["decides"];
    added: number | null;
    removed: number | null;
  }[];
  patch: string;
  /** Whether the end of the patch, or of the list of files, was left out. */
  truncated: boolean;
  notes: string[];
}

interface Which {
  /** Of a loop; null: all of them. */
  iteration?: number | null | undefined;
  /** Only files that decide completion. */
  tests?: boolean | undefined;
  /** Ends the programs that make it. */
  quit?: AbortSignal;
}

export const loopDiff = async (workspace: Workspace, loop: string, { iteration = null, tests, quit }: Which) =>
  shownDiff(await loopComparison(workspace, loop, iteration), { tests: tests ?? false, quit });

export const taskDiff = async (workspace: Workspace, task: string, { tests, quit }: Omit<Which, "iteration">) =>
  shownDiff(await taskComparison(workspace, task), { tests: tests ?? false, quit });

const MOST_FILES = 5_000;
const MOST_NOTES = 50;

interface Making {
  tests: boolean;
  quit: AbortSignal | undefined;
}

async function shownDiff(comparison: Comparison, { tests, quit }: Making): Promise<ShownDiff> {
  try {
    const files = await comparedFiles(comparison, tests, quit);
    const { patch, truncated } = await patchOf(comparison, files, { some: tests, quit });
    return {
      files: files.slice(0, MOST_FILES).map(shownFile),
      patch,
      truncated: truncated || files.length > MOST_FILES,
      notes: [...comparison.notes, ...(tests ? [] : comparison.leftOut.map(leftOutWords))]
        .slice(0, MOST_NOTES)
        .map(printable),
    };
  } finally {
    comparison.close();
  }
}

const shownFile = ({ path, from, change, decides, added, removed }: ShownFile): ShownDiff["files"][number] => ({
  ...{ path, status: change, decides, added, removed },
  ...(from === undefined ? {} : { from }),
});

/** `not shown: big.bin (… bytes, too large)`. */
export const leftOutWords = ({ path, bytes }: Comparison["leftOut"][number]): string =>
  `not shown: ${path} (${bytes === null ? "a nested repository, or not readable" : `${bytes} bytes, too large`})`;
