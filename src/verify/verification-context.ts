import { ownGit } from "../adapters/git/own-git.ts";
import { snapshotFolder } from "../adapters/git/snapshot-folder.ts";
import type { Snapshots } from "../adapters/git/snapshots.ts";
import type { Services } from "../adapters/io/leftovers.ts";
import type { Watchdog } from "../adapters/io/watchdog.ts";
import type { Blobs } from "../core/blobs.ts";
import type { Discarded } from "../core/loop/discarded.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { Note } from "../core/loop/notes.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { WorkEvidence } from "../core/proof/evidence.ts";
import type { Usage } from "../core/usage.ts";
import { loopBlobs, type Workspace } from "../core/workspace.ts";
import type { StopControl } from "../engine/stop-control.ts";
import type { CheckSetting } from "./command/check.ts";
import type { Obsolete } from "./test-files/obsolete.ts";

export interface CheckView {
  /** Called before each command without a result, and after it. Several commands may run at once. */
  check(kind: "guardrail" | "check" | "baseline", command: string, result: CheckResult | null): void;
  note?(note: Note): void;
}

/** The copy of the work that an agent reviews instead of changing the work. */
export interface WorkCopy {
  reset(): Promise<void>;
  /** What has changed in it since the last reset, or null. */
  look(): Promise<Discarded | null>;
}

/** Whether the commits from `since` to `head` contain work of a task's agents; null if git cannot determine it. */
export type FindTaskWork = (
  spec: LoopSpec,
  state: LoopState,
  range: { since: string; head: string },
) => Promise<{ is: "done" | "none" } | null>;

export interface VerifiedLoop {
  workspace: Workspace;
  loop: string;
  spec: LoopSpec;
  stops: StopControl;
  view: CheckView;
  watchdog: Watchdog;
  /** Keeps what turns and checks leave running; null: that is ended. */
  services: Services | null;
  snapshots: Snapshots;
  processToken: string;
  copy?: WorkCopy;
  /** Given by the door that runs tasks. */
  taskWork?: FindTaskWork;
}

export interface VerificationContext extends VerifiedLoop {
  setting: CheckSetting;
  /** Tests that were removed together with everything they test. */
  obsolete?: Obsolete;
}

export interface StageContext extends VerificationContext {
  /** Null before any work. */
  state: LoopState | null;
  /** Part of the names of log files: `baseline`, or `check-<iteration>-<try>`. */
  label: string;
  /** Results of finished stages, in order of completion: evidence for the judge. */
  results: CheckResult[];
  /** What the work changed about how it is measured; null if unknown. */
  evidence(): Promise<WorkEvidence | null>;
  spend(usage: Usage): void;
}

/** Git over the trees of the loop's snapshots. */
export function snapshotGit({ workspace, loop, stops }: VerifiedLoop) {
  const folder = snapshotFolder(workspace.folder, loop);
  const git = ownGit(folder, folder);
  const run: typeof git = (args, more) => git(args, { quit: stops.soft, ...more });
  return { folder, run };
}

export const blobsOf = ({ workspace, loop }: VerifiedLoop): Blobs => loopBlobs(workspace, loop);
