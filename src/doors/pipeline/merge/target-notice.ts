import { relative } from "node:path";
import { type TargetCheckout, targetCheckout } from "../../../adapters/git/move-target.ts";
import { isInside } from "../../../adapters/io/inside.ts";
import { counted, firstNamed } from "../../../core/excerpt.ts";

/** What the state of the target's checkout means for merges; null if nothing is in their way. */
export const targetNotice = async (cwd: string, target: string): Promise<string | null> =>
  noticeOf(cwd, target, await targetCheckout(cwd, target));

export function noticeOf(cwd: string, target: string, checkout: TargetCheckout | null): string | null {
  if (!checkout) return null;
  const { path, files, busy } = checkout;
  const where = isInside(cwd, path) ? "here" : `in ${relative(cwd, path)}`;
  if (busy) return `${target} is checked out ${where}, and ${busy}: tasks are merged once that is finished`;
  if (files.length === 0) return null;
  const changed = `${counted(files.length, "changed file")} (${firstNamed(files)})`;
  return `${target} is checked out ${where} with ${changed}: tasks that touch other files are merged beside them; one that touches them waits until you commit`;
}
