import type { HostSession } from "../../core/host.ts";
import type { StopRequest } from "../../core/loop/events.ts";
import { loopKind } from "../../core/loop/kind.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import type { Usage } from "../../core/usage.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openLedger } from "../../engine/ledger.ts";
import { type StopControl, stopControl } from "../../engine/stop-control.ts";
import { stopSubject } from "../../runtime/cancel.ts";
import { followChanges, type LoopRun } from "../../runtime/drive-loop.ts";
import type { HostSide, HostTurn } from "../../runtime/host-side.ts";
import { requireIncomplete } from "../../runtime/loop-refusals.ts";
import { UNSEEN } from "../../runtime/loop-watcher.ts";
import { readPrompt } from "../../runtime/prompt.ts";
import { attendLoop, type ResumeOptions, resumeLoop, startLoop } from "../../runtime/run-loop.ts";
import { underLease } from "../../runtime/under-lease.ts";
import { hookPrompt } from "./continuation.ts";

/** The state of a loop when it is the host's turn, or when it has stopped. */
export interface HostStep {
  id: string;
  state: LoopState;
  /** The agent's next prompt; null if the loop has stopped. */
  prompt: string | null;
}

/** The session of a loop, and its journal. `stops` interrupts checks and waits between two turns. */
export interface HostPlace {
  workspace: Workspace;
  session: HostSession;
  /** The cost of the session before the loop, if known. */
  usage?: Usage;
  stops?: StopControl;
  /** Gets a sentence about each loop outside the session that may change the same files. */
  warn?(words: string): void;
}

interface NewLoop {
  id: string;
  spec: LoopSpec;
  protect: readonly string[];
  /** When it started, if another program started it. */
  startedMs?: number;
}

/** Starts a loop in a host's session, up to its first turn. */
export async function beginHostLoop(place: HostPlace, { spec, protect, ...named }: NewLoop): Promise<HostStep> {
  const { driving, walk } = hosted(place, null);
  return walk(await startLoop(driving, spec, protect, { ...named, ...besideOthers(place) }));
}

/** Moves a loop to a host's session and resumes it. `changed`: protected files that changed since it started. */
export async function adoptIntoHost(
  place: HostPlace,
  id: string,
  options: ResumeOptions,
): Promise<HostStep & { changed: readonly string[] }> {
  await requireIncomplete(place.workspace, await place.workspace.store.find(id));
  const { driving, walk } = hosted(place, null);
  const run = await resumeLoop(driving, id, { ...options, ...besideOthers(place) });
  return { ...(await walk(run)), changed: run.changed };
}

/** The user works in the session and sees what other loops do there, so none is refused. */
const besideOthers = ({ warn }: HostPlace) => (warn ? { neighbours: { allow: true, warn } } : {});

/** Continues a loop after a turn that its host reported at `arrivedMs`. Null if there is nothing to do. */
export async function attendHostLoop(
  place: HostPlace,
  id: string,
  { turn, arrivedMs }: { turn: HostTurn; arrivedMs: number },
): Promise<HostStep | null> {
  const { driving, walk } = hosted(place, turn);
  const run = await attendLoop(driving, id, arrivedMs);
  return run && walk(run);
}

/** Stops a loop at its host's request. Null if it has already stopped, or if its driver was asked to stop it. */
export async function stopHostLoop(place: HostPlace, id: string, request: StopRequest): Promise<HostStep | null> {
  const { workspace, session } = place;
  const look = async (): Promise<{ step: HostStep | null } | null> => {
    const step = await stopUnattended(place, id, request);
    // A loop that is no longer in this session is not stopped.
    return step || !isHeld(await workspace.store.find(id), session) ? { step } : null;
  };
  const over = await stopSubject(workspace, { kind: "loop", id }, { request, patienceMs: PATIENCE_MS, look });
  return over?.step ?? null;
}

/** How long to wait for another driver to stop a loop: the host waits for the answer. */
const PATIENCE_MS = 5_000;

async function stopUnattended(place: HostPlace, id: string, request: StopRequest): Promise<HostStep | null> {
  const stops = stopControl();
  stops.ask(request);
  const { driving, walk } = hosted({ ...place, stops }, null);
  const run = await attendLoop(driving, id, Number.POSITIVE_INFINITY);
  return run && walk(run);
}

/** Whether a loop is active in that session. */
export const isHeld = ({ status, driver, sessionId, host }: LoopSummary, session: HostSession): boolean =>
  status !== "stopped" && driver === "host" && sessionId === session.id && host === session.host;

/** Moves the current turn to another session of its host. False if the loop is no longer active in the session. */
export async function moveHostLoop({ workspace, session }: HostPlace, id: string, to: string): Promise<boolean> {
  const { store } = workspace;
  const isMoved = await underLease(workspace, { kind: "loop", id }, async () => {
    if (!isHeld(await store.find(id), session)) return false;
    const ledger = openLedger(loopKind, await store.load(id), { now: Date.now, store });
    await ledger.write({ type: "session.moved", sessionId: to });
    return true;
  });
  return isMoved ?? false;
}

function hosted({ workspace, session, usage, stops = stopControl() }: HostPlace, turn: HostTurn | null) {
  let prompt: string | null = null;
  const host: HostSide = {
    sessionId: session.id,
    sessionUsage: usage ?? null,
    name: session.host,
    turn,
    basePrompt: (state) => hookPrompt(state, state.spec ? readPrompt(state.spec) : ""),
    say(text) {
      prompt = text;
    },
  };
  return {
    driving: { workspace, stops, view: UNSEEN, host },
    async walk(run: LoopRun): Promise<HostStep> {
      const state = await followChanges(run);
      return { id: run.id, state, prompt: state.stopped ? null : prompt };
    },
  };
}
