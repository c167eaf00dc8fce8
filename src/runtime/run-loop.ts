import { checkAgent } from "../adapters/agents/agent.ts";
import { type AskedFlags, withAsked } from "../adapters/agents/agent-flags.ts";
import { headOf } from "../adapters/git/repository.ts";
import { snapshotsOf } from "../adapters/git/snapshot-folder.ts";
import { hostNamed, isAgentOf } from "../adapters/hosts/hosts.ts";
import { requireFolder } from "../adapters/io/folder.ts";
import { newId } from "../adapters/io/new-id.ts";
import { prepareRalphFolder } from "../adapters/io/ralph-folder.ts";
import { sweep } from "../adapters/io/tokens.ts";
import { RalphError } from "../core/errors.ts";
import { RECORD } from "../core/fingerprints.ts";
import { type Holder, holderText } from "../core/holder.ts";
import type { Lease } from "../core/lease.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import type { LoadedLoop } from "../core/loop/store.ts";
import { tamperWords } from "../core/loop/words.ts";
import { needsTrees } from "../core/proof/methods.ts";
import { CORE_VERSION } from "../core/version.ts";
import { loopBlobs } from "../core/workspace.ts";
import { tryOutStages } from "../verify/methods.ts";
import { protect, protectAnew } from "../verify/tamper/protection.ts";
import { protectFromRecord, type RecordRef } from "../verify/tamper/protection-record.ts";
import { protectSince } from "../verify/tamper/protection-since.ts";
import { tamperedWith } from "../verify/tamper/tampering.ts";
import { type Driving, type LoopRun, openLoopRun } from "./drive-loop.ts";
import { ownHolder, takeRequest } from "./driver.ts";
import { recordEarlier } from "./earlier-changes.ts";
import type { HostSide } from "./host-side.ts";
import { agentless, foreignJournal, lostLoopRecord } from "./loop-refusals.ts";
import { type Neighbours, startBeside } from "./neighbours.ts";
import { requireLease } from "./under-lease.ts";

interface StartOptions {
  id?: string;
  record?: RecordRef;
  /** What the run recorded before other agents worked in the checkout. Everything in that record still applies. */
  since?: RecordRef;
  /** When the loop started, if that was earlier than this call. */
  startedMs?: number;
  /** Omitted: other loops in the checkout do not matter, as they belong to the same task or run. */
  neighbours?: Neighbours;
}

/** Starts a new loop. `patterns` name files that decide completion, besides the scripts of its checks. */
export async function startLoop(
  driving: Driving,
  spec: LoopSpec,
  patterns: readonly string[],
  { id = newId(), record, since, startedMs, neighbours }: StartOptions = {},
): Promise<LoopRun> {
  if (!driving.host) for (const agent of spec.agents) checkAgent(agent, spec.cwd);
  await tryOutStages(spec, driving.stops);
  const excluded = prepareRalphFolder(spec);
  if (excluded !== null) driving.view.note?.({ type: "files.excluded", path: excluded });
  const { store } = driving.workspace;
  const blobs = loopBlobs(driving.workspace, id);
  const lease = await requireLease(driving.workspace, { kind: "loop", id });
  try {
    const fingerprints = record
      ? await protectFromRecord(blobs, spec, record)
      : since
        ? await protectSince(blobs, spec, patterns, since)
        : await protect(blobs, spec, patterns);
    const earlier = await recordEarlier(blobs, spec);
    const started = { type: "loop.started", spec, fingerprints, ...(earlier ? { earlier } : {}) } as const;
    const adopted = { type: "loop.adopted", ...driverOf(driving) } as const;
    const loop = await startBeside(driving.workspace, { loop: { id, spec }, neighbours }, async () => {
      await store.create(id, started, startedMs ?? Date.now());
      return store.adopt(id, adopted, Date.now(), holderText(holderOf(driving)));
    });
    return openLoopRun(driving, { loop, spec, lease });
  } catch (error) {
    lease.release();
    throw error;
  }
}

export interface ResumeOptions extends AskedFlags {
  limits(before: Limits): Limits;
  /** Accepts changes of protected files. */
  acceptChanges: boolean;
  neighbours?: Neighbours;
}

interface AdoptOptions extends ResumeOptions {
  lease: Lease;
  /** Whether to check protected files and report changes. */
  look: boolean;
}

/** Resumes a loop that stopped or whose driver died. */
export async function resumeLoop(driving: Driving, id: string, options: ResumeOptions): Promise<LoopRun> {
  requireFolder((await driving.workspace.store.find(id)).cwd);
  const lease = await requireLease(driving.workspace, { kind: "loop", id });
  return adoptLoop(driving, id, { ...options, lease, look: true });
}

/** Takes over a loop that no other process drives. */
export async function adoptLoop(driving: Driving, id: string, options: AdoptOptions): Promise<LoopRun> {
  const { workspace } = driving;
  const { lease } = options;
  const takenMs = Date.now();
  try {
    const before = await workspace.store.load(id);
    const { spec: started, limits, fingerprints, foreign } = before.state;
    if (!started) throw new RalphError("loop-empty", `loop ${id} was never started`);
    if (foreign) throw foreignJournal(id, foreign);
    // Only for callers that continue the loop.
    if (options.look && !driving.host && started.agents.length === 0) throw agentless(id);
    const { spec, agents } = await askedAgents(started, options);
    // Ends processes of an earlier driver; no other driver can be active now.
    sweep(`${id}/`);
    const blobs = loopBlobs(workspace, id);
    const blessed = options.acceptChanges
      ? { fingerprints: await protectAnew(blobs, spec, fingerprints), ...(await acceptedTree(driving, id, spec)) }
      : {};
    const changed = options.look ? await tamperedWith({ spec, blobs, fingerprints, ...blessed }) : [];
    if (changed.some(({ path }) => path === RECORD)) throw lostLoopRecord(id);
    const taker = { ...driverOf(driving), ...(await foreignSession(driving, before)) };
    const adopted = { type: "loop.adopted", ...taker, limits: options.limits(limits), ...agents, ...blessed } as const;
    const { neighbours } = options;
    const loop = await startBeside(workspace, { loop: { id, spec }, neighbours }, () =>
      workspace.store.adopt(id, adopted, takenMs, holderText(holderOf(driving))),
    );
    const told = changed.map((tamper) => tamperWords([tamper]));
    return openLoopRun(driving, { loop, spec, lease }, told);
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** The spec with the requested flags, which are added for good. */
async function askedAgents(
  spec: LoopSpec,
  asked: AskedFlags,
): Promise<{ spec: LoopSpec; agents?: Pick<LoopSpec, "agents"> }> {
  if (asked.model === undefined && !asked.agentFlags?.length) return { spec };
  const agents = await withAsked(spec.agents, asked);
  return { spec: { ...spec, agents }, agents: { agents } };
}

/** The current tree, from which the scope is measured from now on. */
async function acceptedTree({ workspace, stops }: Driving, id: string, spec: LoopSpec): Promise<{ accepted?: string }> {
  if (!needsTrees(spec.proof)) return {};
  const accepted = spec.part
    ? await headOf(spec.cwd)
    : await snapshotsOf(workspace.folder, id, spec).capture(stops.soft);
  return accepted ? { accepted } : {};
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
    if (spec && isTheirs && !isOld) return openLoopRun(driving, { loop, spec, lease });
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

const holderOf = ({ host }: Driving): Holder => (host ? { host: host.name, session: host.sessionId } : ownHolder());

function driverOf({ host }: Driving) {
  const version = CORE_VERSION;
  if (!host) return { driver: "engine", version } as const;
  const { sessionId, sessionUsage } = host;
  return { driver: "host", sessionId, ...(sessionUsage ? { sessionUsage } : {}), version } as const;
}
