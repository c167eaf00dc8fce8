import { join, relative } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { DEFAULT_TURN_TIMEOUTS } from "../../core/loop/spec.ts";
import type { CheckSetting } from "../../verify/command/check.ts";
import type { TaskContext } from "./context.ts";

export const taskToken = (id: string): string => `task-${id}/`;

export const taskCheckSetting = (
  { ledger, stops, watchdog, processToken }: TaskContext,
  cwd: string,
): CheckSetting => ({
  cwd,
  env: { RALPH_TASK: ledger.task.id },
  token: `${taskToken(ledger.task.id)}${processToken}`,
  graceMs: DEFAULT_TURN_TIMEOUTS.graceMs,
  stops,
  watchdog,
  excerptChars: EXCERPT_CHARS,
});

const EXCERPT_CHARS = 4_000;

/** The folder in a task's worktree that corresponds to the one the execution was started in. */
export function folderIn(worktree: string, cwd: string): string {
  const root = checkoutRoot(cwd) ?? cwd;
  return join(worktree, relative(root, cwd));
}
