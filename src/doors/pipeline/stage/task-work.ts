import { hardenedGit } from "../../../adapters/git/hardened-git.ts";
import type { LooseFiles } from "../../../adapters/git/loose-files.ts";
import { type OwnFile, ownWork } from "../../../adapters/git/own-work.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";
import { nullOn } from "../../../core/errors.ts";
import type { LoopSpec } from "../../../core/loop/spec.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { ROLES } from "../../../core/task/role.ts";
import type { FindTaskWork } from "../../../verify/verification-context.ts";
import { type MarkableSource, markableSource, markedText } from "../import/mark-source-done.ts";

/** Whether a task's agents changed a file since it started, or since the loop started if its coder was sent back. */
export const taskWorkIn =
  (workspace: Workspace): FindTaskWork =>
  async (spec, state, { since, head }) => {
    const { part, cwd } = spec;
    if (!part) return null;
    // Its row may have been deleted, which does not affect the work.
    const row = await workspace.tasks.load(part.task).catch(nullOn("task-unknown"));
    const before = await looseBefore(workspace, spec, state);
    const target = row?.state.work?.target ?? "";
    const files = await ownWork({ worktree: checkoutRoot(cwd) ?? cwd, task: part.task, target, since, head, before });
    if (!files) return null;
    const source = row && markableSource(row.task.metadata);
    const own = source && files.length === 1 ? await withoutMark(cwd, { source, since, files }) : files;
    return { is: own.length > 0 ? "done" : "none" };
  };

/** Uncommitted files from before the first agent worked on the task or, if it was sent back, before this loop. */
async function looseBefore(workspace: Workspace, { part }: LoopSpec, state: LoopState): Promise<LooseFiles> {
  const own = state.baseline?.loose ?? {};
  if (part?.since === undefined) return own;
  let first: string | null = null;
  for await (const { event } of workspace.tasks.entries(part.task)) {
    if (event.type === "work.prepared") first = null;
    if (event.type === "stage.began" && ROLES[event.place].implements) first ??= event.loop;
  }
  return first === null ? own : ((await workspace.store.load(first)).state.baseline?.loose ?? {});
}

/** Marking a task as done in its source file does not count as work. */
async function withoutMark(
  cwd: string,
  { source, since, files }: { source: MarkableSource; since: string; files: readonly OwnFile[] },
): Promise<readonly OwnFile[]> {
  const [file] = files;
  if (file?.path !== source.path || file.blob === null) return files;
  const run = await hardenedGit(checkoutRoot(cwd) ?? cwd, { whose: "ralph" });
  const show = async (name: string) => (await run(["cat-file", "blob", name])).stdout;
  const marked = await markedText(source, await show(`${since}:${source.path}`));
  return marked !== null && marked === (await show(file.blob)) ? [] : files;
}
