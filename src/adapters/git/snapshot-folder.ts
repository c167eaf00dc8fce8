import { join } from "node:path";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { needsTrees } from "../../core/proof/methods.ts";
import type { StateFolder } from "../../core/workspace.ts";
import { openSnapshots, type Snapshots } from "./snapshots.ts";

/** The folder of a loop's snapshots: next to its logs, so that both are removed together. */
export const snapshotFolder = (folder: Pick<StateFolder, "logs">, loop: string): string =>
  join(folder.logs(loop), "snapshots.git");

/** A task, and a clean room of the commit, are judged by commits, which are in the user's repository. */
export const snapshotsOf = (folder: StateFolder, loop: string, { cwd, proof, part }: LoopSpec): Snapshots =>
  openSnapshots({
    cwd,
    folder: snapshotFolder(folder, loop),
    without: [folder.root],
    decisive: needsTrees(proof),
    copied: needsTrees(proof) && !part && proof.cleanRoom?.mode !== "commit",
  });
