import { randomBytes } from "node:crypto";
import { checkAgent } from "../adapters/agents/agent.ts";
import { snapshotsOf } from "../adapters/git/snapshot-folder.ts";
import { hostNamed, isAgentOf } from "../adapters/hosts/hosts.ts";
import { markDescendants } from "../adapters/io/descent.ts";
import { requireFolder } from "../adapters/io/folder.ts";
import { newId } from "../adapters/io/new-id.ts";
import { prepareRalphFolder } from "../adapters/io/ralph-folder.ts";
import { sweep } from "../adapters/io/tokens.ts";
import { startWatchdog } from "../adapters/io/watchdog.ts";
import { watchHead } from "../adapters/store/watch-head.ts";
import { loopBlobs, type Workspace } from "../adapters/store/workspace.ts";
import { RalphError } from "../core/errors.ts";
import { RECORD } from "../core/fingerprints.ts";
import { type Holder, holderText } from "../core/holder.ts";
import type { Lease } from "../core/lease.ts";
import type { LoopChange } from "../core/loop/kind.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/loop/store.ts";
import { tamperWords } from "../core/loop/words.ts";
import { CORE_VERSION } from "../core/version.ts";
import { drive } from "../engine/drive.ts";
import { type StopControl, stopControl } from "../engine/stop-control.ts";
import { tryOutStages } from "../verify/methods.ts";
import { type ReceiptKeeper, receiptKeeper } from "../verify/receipts/kept.ts";
import { protect, protectAnew } from "../verify/tamper/protection.ts";
import { protectFromRecord, type RecordRef } from "../verify/tamper/protection-record.ts";
import { protectSince } from "../verify/tamper/protection-since.ts";
import { tamperedWith } from "../verify/tamper/tampering.ts";
import type { FindTaskWork, WorkCopy } from "../verify/verification-context.ts";
import { type Cancelled, cancelSubject } from "./cancel.ts";
import { enginePorts } from "./engine-ports.ts";
import { driveHost, type HostSide } from "./host-side.ts";
import { ownHolder, requireLease, takeRequest, watchStops } from "./inbox.ts";
import { agentless, foreignJournal, lostLoopRecord } from "./loop-refusals.ts";
import { type LoopWatcher, UNSEEN } from "./loop-watcher.ts";
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

interface Keeping extends Driving {
  keeper: ReceiptKeeper;
}

interface StartOptions {
  id?: string;
  record?: RecordRef;
  /** What the run recorded before other agents worked in the checkout. Everything in that record still applies. */
  since?: RecordRef;
  /** When the loop started, if that was earlier than this call. */
  startedMs?: number;
}

/** Starts a new loop. `patterns` name files that decide completion, besides the scripts of its checks. */
export async function startLoop(
  driving: Driving,
  spec: LoopSpec,
  patterns: readonly string[],
  { id = newId(), record, since, startedMs }: StartOptions = {},
): Promise<LoopRun> {
  if (!driving.host) for (const agent of spec.agents) checkAgent(agent, spec.cwd);
  await tryOutStages(spec, driving.stops);
  prepareRalphFolder(spec);
  const { store } = driving.workspace;
  const blobs = loopBlobs(driving.workspace, id);
  const lease = await requireLease(driving.workspace, { kind: "loop", id });
  try {
    const fingerprints = record
      ? await protectFromRecord(blobs, spec, record)
      : since
        ? await protectSince(blobs, spec, patterns, since)
        : await protect(blobs, spec, patterns);
    await store.create(id, { type: "loop.started", spec, fingerprints }, startedMs ?? Date.now());
    const adopted = { type: "loop.adopted", ...driverOf(driving) } as const;
    const loop = await store.adopt(id, adopted, Date.now(), holderText(holderOf(driving)));
    return { ...taken(driving, loop, spec, lease), changed: [] };
  } catch (error) {
    lease.release();
    throw error;
  }
}

function taken(driving: Driving, loop: LoadedLoop, spec: LoopSpec, lease: Lease): Omit<LoopRun, "changed"> {
  const { id, state } = loop;
  const keeper = receiptKeeper(driving, id, driving.receipts ?? spec.cwd);
  const changes = driven({ ...driving, keeper }, loop, spec, lease);
  return { id, spec, limits: state.limits, state, changes, receipt: keeper.path };
}

export interface ResumeOptions {
  limits(before: Limits): Limits;
  /** Accepts changes of protected files. */
  acceptChanges: boolean;
}

interface TakeUpOptions extends ResumeOptions {
  /** Whether to check protected files and report changes. */
  look: boolean;
}

/** Resumes a loop that stopped or whose driver died. */
export async function resumeLoop(driving: Driving, id: string, options: ResumeOptions): Promise<LoopRun> {
  requireFolder((await driving.workspace.store.find(id)).cwd);
  return takeUp(driving, id, await requireLease(driving.workspace, { kind: "loop", id }), { ...options, look: true });
}

async function takeUp(driving: Driving, id: string, lease: Lease, options: TakeUpOptions): Promise<LoopRun> {
  const { workspace } = driving;
  const takenMs = Date.now();
  try {
    const before = await workspace.store.load(id);
    const { spec, limits, fingerprints, foreign } = before.state;
    if (!spec) throw new RalphError("loop-empty", `loop ${id} was never started`);
    if (foreign) throw foreignJournal(id, foreign);
    // Only for callers that continue the loop.
    if (options.look && !driving.host && spec.agents.length === 0) throw agentless(id);
    // Ends processes of an earlier driver; no other driver can be active now.
    sweep(`${id}/`);
    const blobs = loopBlobs(workspace, id);
    const blessed = options.acceptChanges ? { fingerprints: await protectAnew(blobs, spec, fingerprints) } : {};
    const changed = options.look ? await tamperedWith({ spec, blobs, fingerprints, ...blessed }) : [];
    if (changed.some(({ path }) => path === RECORD)) throw lostLoopRecord(id);
    const taker = { ...driverOf(driving), ...(await foreignSession(driving, before)) };
    const adopted = { type: "loop.adopted", ...taker, limits: options.limits(limits), ...blessed } as const;
    const loop = await workspace.store.adopt(id, adopted, takenMs, holderText(holderOf(driving)));
    const told = changed.map((tamper) => tamperWords([tamper]));
    return { ...taken(driving, loop, spec, lease), changed: told };
  } catch (error) {
    lease.release();
    throw error;
  }
}

/**
 * Continues a loop that a host drives, after one of its turns has ended; `arrivedMs` is when the event arrived. Null if
 * there is nothing to do: another process drives it, it has continued since, or the host no longer has it.
 */
export async function attendLoop(
  driving: Driving & { host: HostSide },
  id: string,
  arrivedMs: number,
): Promise<LoopRun | null> {
  const { workspace, host, stops } = driving;
  const lease = await workspace.leases.take({ kind: "loop", id });
  if (!lease) return null;
  try {
    const loop = await workspace.store.load(id);
    const { spec, driver, sessionId, stopped, turn, atMs } = loop.state;
    const isTheirs = driver === "host" && sessionId === host.sessionId && !stopped;
    // A turn that began after the event arrived cannot be the one that it reports, unless the clock was set back.
    const isOld = turn !== null && !turn.ended && atMs > arrivedMs && atMs <= Date.now();
    // Ends processes of an interrupted answer.
    if (isTheirs) sweep(`${id}/`);
    // A request may have arrived after the previous answer last read the inbox.
    await takeRequest(workspace, { kind: "loop", id }, stops);
    if (spec && isTheirs && !isOld) return { ...taken(driving, loop, spec, lease), changed: [] };
  } catch (error) {
    lease.release();
    throw error;
  }
  lease.release();
  return null;
}

/** A session belongs to the program that opened it, so a different agent cannot continue it. */
async function foreignSession({ workspace, host }: Driving, { id, state }: LoadedLoop): Promise<{ sessionId?: null }> {
  if (host || state.driver !== "host") return {};
  const { host: opener } = await workspace.store.find(id);
  const agent = state.spec?.agents[state.agent]?.command;
  return opener !== null && hostNamed(opener) && !isAgentOf(opener, agent ?? "") ? { sessionId: null } : {};
}

/** Cancels a loop. `patienceMs`: how long its driver may take, if there is one. */
export const cancelLoop = (
  workspace: Workspace,
  id: string,
  { by, view = UNSEEN, patienceMs }: { by: string; view?: LoopWatcher; patienceMs?: number },
): Promise<Cancelled> =>
  cancelSubject(
    workspace,
    { kind: "loop", id },
    {
      by,
      close: (lease) => closeLoop({ workspace, view }, id, by, lease),
      async isCancelled() {
        const { stopped } = (await workspace.store.glance(id)).state;
        return stopped && stopped.reason === "cancelled";
      },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    },
  );

/** Cancels the loop of a task or run whose lease the caller has, so no other process drives the loop. */
export async function cancelLoopOf(workspace: Workspace, id: string, by: string): Promise<void> {
  const lease = await workspace.leases.take({ kind: "loop", id });
  if (!lease) return;
  await closeLoop({ workspace, view: UNSEEN }, id, by, lease).catch((error: unknown) => {
    // The driver died after writing the journal of the task or run, and before creating the loop.
    if (!(error instanceof RalphError) || error.code !== "loop-unknown") throw error;
  });
}

async function closeLoop(
  { workspace, view }: Pick<Driving, "workspace" | "view">,
  id: string,
  by: string,
  lease: Lease,
): Promise<boolean> {
  try {
    if ((await workspace.store.glance(id)).state.stopped) return false;
    const stops = stopControl();
    stops.ask({ as: "cancelled", by });
    const unchanged: TakeUpOptions = { limits: (same) => same, acceptChanges: false, look: false };
    const { changes } = await takeUp({ workspace, stops, view }, id, lease, unchanged);
    for await (const _ of changes);
    return true;
  } finally {
    lease.release();
  }
}

const holderOf = ({ host }: Driving): Holder => (host ? { host: host.name, session: host.sessionId } : ownHolder());

function driverOf({ host }: Driving) {
  const version = CORE_VERSION;
  if (!host) return { driver: "engine", version } as const;
  const { sessionId, sessionUsage } = host;
  return { driver: "host", sessionId, ...(sessionUsage ? { sessionUsage } : {}), version } as const;
}

/** Drives the loop while watching the inbox. Leaves nothing running, however it ends. */
async function* driven(driving: Keeping, loop: LoadedLoop, spec: LoopSpec, lease: Lease): LoopRun["changes"] {
  const { workspace, stops, keeper } = driving;
  const processToken = randomBytes(6).toString("hex");
  // The agent of a host is not a child of this process.
  if (!driving.host) await markDescendants(workspace.folder.root);
  const watchdog = startWatchdog(processToken);
  const output = loopBlobs(workspace, loop.id).write(`output-${loop.epoch}.log`);
  const watch = watchStops(workspace, { kind: "loop", id: loop.id }, { stops, lease });
  const { store, head } = watchHead(workspace.store, loop);
  const notifier = openNotifier({ ...driving, loop, watchdog, processToken, head });
  try {
    const snapshots = snapshotsOf(workspace.folder, loop.id, spec.cwd);
    const writing = { store, lease, output, snapshots };
    const ports = enginePorts({ ...driving, ...writing, loop: loop.id, spec, watchdog, processToken });
    const driven = driving.host
      ? driveHost(loop, ports, { host: driving.host, blobs: workspace.blobs })
      : drive(loop, ports);
    return yield* notifier.follow(keeper.follow(driven));
  } finally {
    watch.close();
    output.close();
    sweep(`${loop.id}/${processToken}/`);
    lease.release();
    await notifier.close();
    watchdog.close();
  }
}
