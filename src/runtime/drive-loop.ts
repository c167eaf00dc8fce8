import { snapshotsOf } from "../adapters/git/snapshot-folder.ts";
import { openServices } from "../adapters/io/leftovers.ts";
import { watchHead } from "../adapters/store/watch-head.ts";
import type { Lease } from "../core/lease.ts";
import type { LoopChange } from "../core/loop/kind.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/loop/store.ts";
import { loopBlobs, type Workspace } from "../core/workspace.ts";
import { drive } from "../engine/drive.ts";
import type { StopControl } from "../engine/stop-control.ts";
import { type ReceiptKeeper, receiptKeeper } from "../verify/receipts/kept.ts";
import type { FindTaskWork, WorkCopy } from "../verify/verification-context.ts";
import { openDriver, watchStops } from "./driver.ts";
import { watchDrops } from "./drop-notes.ts";
import { enginePorts } from "./engine-ports.ts";
import { driveHost, type HostSide } from "./host-side.ts";
import { openLoopBeat } from "./loop-pulse.ts";
import type { LoopWatcher } from "./loop-watcher.ts";
import { openNotifier } from "./notify.ts";

export interface LoopRun {
  id: string;
  spec: LoopSpec;
  limits: Limits;
  state: LoopState;
  /** Protected files that have changed since the loop started, and how. */
  changed: string[];
  /** Every durable entry, with the states before and after it; returns the last state. Reading it drives the loop. */
  changes: AsyncGenerator<LoopChange, LoopState>;
  /** Where the receipt was written; null if the loop is not completed or nothing was written. */
  receipt(): string | null;
}

export interface Driving {
  workspace: Workspace;
  stops: StopControl;
  view: LoopWatcher;
  receipts?: string;
  /** The copy that the agent reviews, if any. */
  copy?: WorkCopy;
  /** Finds the work of a task's agents, if the loop is part of a task. */
  taskWork?: FindTaskWork;
  host?: HostSide;
}

interface OwnLoop {
  loop: LoadedLoop;
  spec: LoopSpec;
  lease: Lease;
}

/** A loop that this process has adopted. */
export function openLoopRun(driving: Driving, own: OwnLoop, changed: string[] = []): LoopRun {
  const { loop, spec } = own;
  const { id, state } = loop;
  const keeper = receiptKeeper(driving, id, driving.receipts ?? spec.worktree?.cwd ?? spec.cwd);
  const changes = driven(driving, own, keeper);
  return { id, spec, limits: state.limits, state, changed, changes, receipt: keeper.path };
}

/** Drives the loop while watching the inbox. Leaves nothing running, however it ends. */
async function* driven(driving: Driving, { loop, spec, lease }: OwnLoop, keeper: ReceiptKeeper): LoopRun["changes"] {
  const { workspace, stops } = driving;
  const driver = await openDriver(workspace, { host: driving.host !== undefined });
  const output = loopBlobs(workspace, loop.id).write(`output-${loop.epoch}.log`);
  const watch = watchStops(workspace, { kind: "loop", id: loop.id }, { stops, lease });
  const drops = watchDrops(workspace, loop.id);
  const services = spec.proof.services ? openServices() : null;
  const { store, head } = watchHead(workspace.store, loop);
  const notifier = openNotifier({ ...driving, ...driver, loop, head });
  const beat = openLoopBeat(workspace, { id: loop.id, spec });
  try {
    const snapshots = snapshotsOf(workspace.folder, loop.id, spec);
    const writing = { store, lease, output, snapshots, services, notesToDrop: drops.wanted };
    const view = beat.watching(driving.view);
    const ports = beat.performing(enginePorts({ ...driving, ...driver, ...writing, view, loop: loop.id, spec }));
    const driven = driving.host
      ? driveHost(loop, ports, { host: driving.host, blobs: workspace.blobs })
      : drive(loop, ports);
    return yield* notifier.follow(keeper.follow(driven));
  } finally {
    watch.close();
    drops.close();
    output.close();
    await services?.close();
    driver.sweep(`${loop.id}/`);
    lease.release();
    beat.close();
    await notifier.close();
    driver.close();
  }
}

export type OnChange = (change: LoopChange) => void | Promise<void>;

/** Drives a loop until it stops, or until it is its host's turn. Returns its last state. */
export async function followChanges(
  { changes }: Pick<LoopRun, "changes">,
  onChange: OnChange = () => undefined,
): Promise<LoopState> {
  while (true) {
    const next = await changes.next();
    if (next.done) return next.value;
    await onChange(next.value);
  }
}
