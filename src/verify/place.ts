import { stampFiles } from "../adapters/git/file-stamps.ts";
import { headOf } from "../adapters/git/repository.ts";
import { checkoutState } from "../adapters/git/tree-state.ts";
import { checkoutRoot } from "../adapters/io/checkout.ts";
import type { Baseline } from "../core/loop/events.ts";
import { isRalphFile } from "../core/ralph-files.ts";
import { scopeOf } from "./scope.ts";
import type { VerificationContext } from "./verification-context.ts";

/** The state of the checkout that is judged. */
export type Place = Pick<Baseline, "head" | "tree" | "snapshot">;

/** The commit, tree digest and snapshot of the checkout; empty without git. */
export async function placeOf({ spec, stops, snapshots }: VerificationContext): Promise<Place> {
  if (!spec.tracked) return { head: "", tree: null };
  const [seen, snapshot] = await Promise.all([checkoutState(spec.cwd, stops.soft), snapshots.capture(stops.soft)]);
  return { ...(seen ?? { head: await headOf(spec.cwd), tree: null }), snapshot };
}

/**
 * The tracked files, and those within the scope, that change from now on in the checkout or room that contains `cwd`.
 * Null if this cannot be determined.
 */
export async function watchFiles(
  { spec, stops }: VerificationContext,
  cwd: string,
): Promise<(() => Promise<string[]>) | null> {
  const root = checkoutRoot(cwd);
  if (!spec.tracked || root === null) return null;
  const { scope } = spec.proof;
  const { allows } = scopeOf(scope, { folder: cwd, root });
  // In a room everything that was put there is tracked, and what the checks add to it is of no use to an agent.
  const isCounted = scope.length > 0 && cwd === spec.cwd;
  const untracked = isCounted ? (path: string) => allows(path) !== "nothing" : null;
  const changes = await stampFiles({ cwd, untracked, quit: stops.soft });
  return changes && (async () => (await changes()).filter((path) => !isRalphFile(path)));
}
