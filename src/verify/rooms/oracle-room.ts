import { checkOutTree, composeTree, restoreTree } from "../../adapters/git/compose-tree.ts";
import { snapshotFolder } from "../../adapters/git/snapshot-folder.ts";
import type { PlaceRequest, RoomContent } from "./room.ts";

/**
 * The tree as it was when the loop started, with only the changes of the claim within the scope: whatever else the
 * agent did is not there.
 */
export function oracleRoom({ context, state, work }: PlaceRequest): RoomContent | string {
  if (!work) return "git cannot determine what has changed since the loop started";
  const { spec, workspace, loop, stops } = context;
  const folder = snapshotFolder(workspace.folder, loop);
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
    note: async () => `checked in the oracle room: ${countWords(work.inside.length)} applied to the start`,
  };
}

const countWords = (files: number): string => `${files} changed ${files === 1 ? "file" : "files"} within the scope`;
