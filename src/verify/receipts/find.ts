import { existsSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { isFileAt } from "../../adapters/io/look.ts";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import { nullOn, RalphError } from "../../core/errors.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { isLevel } from "../../core/proof/level.ts";
import { RECEIPTS_FOLDER } from "../../core/ralph-files.ts";
import type { Workspace } from "../../core/workspace.ts";
import { loopNamed, loopsOfRun, runNamed } from "../../engine/named.ts";
import { type FoundReceipt, readReceipt, receiptPath, receiptsIn, writeReceipt } from "./files.ts";
import { keptReceipt } from "./kept.ts";

/** The receipt that the user names: a file, or a loop or run by its id, a prefix of it, or `last`. */
export async function findReceipt(cwd: string, wanted: string): Promise<FoundReceipt> {
  if (isFileAt(resolve(cwd, wanted))) return readReceipt(resolve(cwd, wanted), wanted);
  if (/[\\/]|\.json$/.test(wanted)) {
    throw new RalphError("receipt-missing", `there is no receipt ${wanted}`, { hint: "check the path" });
  }
  return receiptOfLoop(cwd, wanted, { rewrite: true });
}

interface Finding {
  /** Whether a missing file is written again. */
  rewrite: boolean;
}

/** The receipt of a loop by its id, a prefix of it, or `last`; never a file path. */
export const receiptOfLoop = async (cwd: string, wanted: string, how: Finding): Promise<FoundReceipt> =>
  (await ofJournal(cwd, wanted, how)) ?? (await ofFolder(cwd, wanted));

export async function allReceipts(cwd: string): Promise<FoundReceipt[]> {
  const paths = receiptFiles(cwd);
  if (paths.length === 0) throw noReceipts();
  return Promise.all(paths.map((path) => readReceipt(path, relative(cwd, path))));
}

const noReceipts = (): RalphError =>
  new RalphError("receipt-missing", `there are no receipts in ${RECEIPTS_FOLDER}`, {
    hint: "a completed loop writes one; `ralph receipt show <loop>` writes it again where its journal is",
  });

export function receiptFiles(cwd: string): string[] {
  const here = receiptsIn(cwd);
  return here.length > 0 ? here : receiptsIn(checkoutRoot(cwd) ?? cwd);
}

/** The receipt of a loop in the journal. Null if the journal has no such loop. */
async function ofJournal(cwd: string, wanted: string, how: Finding): Promise<FoundReceipt | null> {
  return await inWorkspace({ cwd }, async (workspace) => {
    const loop = await loopOf(workspace, wanted);
    if (!loop) return null;
    // The worktree of a merged task is gone: its receipts are kept where it was executed.
    const home = loop.part ? (checkoutRoot(cwd) ?? cwd) : loop.cwd;
    const path = receiptPath(home, loop.id);
    if (existsSync(path)) return await readReceipt(path, relative(cwd, path));
    // Verifies the journal first: throws if it is damaged.
    await workspace.store.load(loop.id);
    const found = await keptReceipt(workspace, loop.id);
    if (!found) throw isLevel(loop.reason) ? notKept(loop.id) : notCompleted(loop);
    const { receipt } = found;
    const write = () => relative(cwd, writeReceipt(home, receipt));
    return { file: kept(how.rewrite ? write : null, loop.id), receipt, raw: receipt };
  });
}

async function loopOf(workspace: Workspace, wanted: string): Promise<LoopSummary | null> {
  if ((await workspace.store.summaries({ limit: 1 })).length === 0) return null;
  // A loop of another machine has no journal here, but its receipt may be here.
  return (await loopOfRun(workspace, wanted)) ?? (await loopNamed(workspace, wanted).catch(nullOn("loop-unknown")));
}

/** The loop that proved a run; null if `wanted` is not a run. Steps of a run end with their turns and prove nothing. */
async function loopOfRun(workspace: Workspace, wanted: string): Promise<LoopSummary | null> {
  const run = await runNamed(workspace, wanted);
  if (!run) return null;
  const loops = (await loopsOfRun(workspace, run.id)).filter(({ reason }) => isLevel(reason));
  const [loop, another] = loops;
  if (loop && !another) return loop;
  const what = loop ? `${loops.length} completed loops: ${loops.map(({ id }) => id).join(", ")}` : "no completed loop";
  throw new RalphError(
    loop ? "receipt-ambiguous" : "receipt-unproven",
    `run ${run.id} of ${run.workflow} has ${what}`,
    {
      hint: loop ? `\`ralph receipt show ${loop.id}\` shows one` : `\`ralph why ${run.id}\` shows what there is`,
    },
  );
}

/** The receipt can be read even if the folder cannot be written. */
function kept(write: (() => string) | null, loop: string): string {
  try {
    if (write) return write();
  } catch {
    // The journal has it.
  }
  return `the journal of loop ${loop}`;
}

const notKept = (id: string): RalphError =>
  new RalphError("receipt-missing", `the receipt of loop ${id} is gone, and its journal has none`, {
    hint: "the loop is older than receipts in the journal: restore the file from git",
  });

function notCompleted({ id, reason, status }: LoopSummary): RalphError {
  const how = reason === null ? `is ${status}` : `stopped: ${reason}`;
  return new RalphError("receipt-unproven", `loop ${id} has no receipt: it ${how}`, {
    hint: `only a completed loop has one; \`ralph why ${id}\` shows what is missing`,
  });
}

async function ofFolder(cwd: string, wanted: string): Promise<FoundReceipt> {
  const paths = receiptFiles(cwd);
  const named = paths.filter((path) => wanted === "last" || basename(path).startsWith(wanted));
  const found = await Promise.all(named.map((path) => readReceipt(path, relative(cwd, path))));
  found.sort((a, b) => (a.receipt.completedAt < b.receipt.completedAt ? 1 : -1));
  const [newest, another] = found;
  if (newest && (wanted === "last" || !another)) return newest;
  if (!newest && wanted === "last") throw noReceipts();
  throw new RalphError(
    newest ? "receipt-ambiguous" : "receipt-missing",
    newest ? `several receipts begin with ${wanted}` : `there is no loop and no receipt ${wanted}`,
    {
      hint: paths.length > 0 ? `found: ${paths.map(nameOf).slice(0, 10).join(", ")}` : "`ralph list` shows the loops",
    },
  );
}

const nameOf = (path: string): string => basename(path, ".json");
