import { compareTrees } from "../adapters/git/compare-trees.ts";
import { headLog } from "../adapters/git/head-log.ts";
import { ownGit } from "../adapters/git/own-git.ts";
import { snapshotFolder } from "../adapters/git/snapshot-folder.ts";
import { snapshotRoot } from "../adapters/git/snapshots.ts";
import type { LoopState } from "../core/loop/state.ts";
import { commitsIn } from "../core/memory/commits.ts";
import { type ChangedFiles, changedFiles, type NewCommits, remembers } from "../core/memory/memory.ts";
import type { VerificationContext } from "../verify/verification-context.ts";

type Seeing = Pick<VerificationContext, "loop" | "spec" | "stops" | "workspace">;

/**
 * How the snapshot of a turn differs from that of the start, from at most one git process; nothing if it is unknown,
 * not remembered, or equal to the last one. A reviewer's copy is never changed by its agent.
 */
export async function changedSoFar(
  { loop, spec, stops, workspace }: Seeing,
  state: LoopState,
  snapshot: string | null,
): Promise<{ changed?: ChangedFiles }> {
  const start = state.baseline?.snapshot;
  if (!remembers(state) || spec.part?.copy || !snapshot || !start || snapshot === state.memory?.snapshot) return {};
  if (snapshot === start) return { changed: changedFiles([]) };
  const folder = snapshotFolder(workspace.folder, loop);
  const git = ownGit(folder, snapshotRoot(folder, spec.cwd) ?? spec.cwd);
  const compared = await compareTrees((args, more) => git(args, { ...more, quit: stops.soft }), start, snapshot);
  return compared.is === "compared" ? { changed: changedFiles(compared.files) } : {};
}

/** The commits since the loop began, without git. */
export function commitsSoFar(state: LoopState): { commits?: NewCommits } {
  const { spec, baseline, n } = state;
  if (!spec?.tracked || !baseline || n === 0 || spec.part?.copy || !remembers(state)) return {};
  const commits = commitsIn(headLog(spec.cwd), baseline.head);
  return commits ? { commits } : {};
}
