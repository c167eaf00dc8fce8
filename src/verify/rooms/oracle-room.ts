import { checkOutTree, composeTree, restoreTree } from "../../adapters/git/compose-tree.ts";
import { counted } from "../../core/excerpt.ts";
import { UNKNOWN_CHANGES } from "../scoped-work.ts";
import { snapshotGit } from "../verification-context.ts";
import type { PlaceRequest, RoomContent } from "./room.ts";

/**
 * The tree as it was when the loop started, with only the changes of the claim within the scope: whatever else the
 * agent did is not there.
 */
export function oracleRoom({ context, state, work }: PlaceRequest): RoomContent | string {
  if (!work) return UNKNOWN_CHANGES;
  const { spec, stops } = context;
  const { folder } = snapshotGit(context);
  const quit = stops.soft;
  let tree = "";
  return {
    commit: null,
    name: "the tree at the start and the changes within the scope",
    async fill(root) {
      const composed = await composeTree({ folder, start: work.start, changes: work.inside, quit });
      if (composed.is === "failed") return composed.why;
      tree = composed.tree;
      const parent = spec.part?.base ?? state?.baseline?.head ?? null;
      return await checkOutTree({ folder, root, tree, parent: parent || null, quit });
    },
    restore: (root) => restoreTree({ folder, root, tree, quit }),
    // What is outside the scope cannot differ from the start.
    tampered: async () => [],
    note: async () =>
      `checked in the oracle room: ${counted(work.inside.length, "changed file")} within the scope applied to the start`,
  };
}
