import { messageOf } from "../../../core/errors.ts";
import type { RalphLoopState } from "./contract.ts";
import { processWarning } from "./hook-context.ts";
import { type KeptLoop, shownState } from "./keeper.ts";
import { activeLoops, placeIn } from "./library-journal.ts";
import { openKeeper } from "./library-keeper.ts";
import type { LibraryPlace } from "./library-start.ts";
import { importState, keepState, setIteration } from "./state-import.ts";

/** The active loop of a folder, the latest where several sessions have one; null where there is none. */
export function readState(workdir: string, stateDir?: string): RalphLoopState | null {
  const place = placeIn(workdir, stateDir);
  return trying("read", null, () => {
    const [latest] = loopsIn(place);
    return latest ? shownState(latest) : null;
  });
}

/** Writes down that a session has this loop, and how far it is. False: it could not. */
export function writeState(workdir: string, state: RalphLoopState, stateDir?: string): boolean {
  const place = placeIn(workdir, stateDir);
  return trying("write", false, () => {
    const [present] = loopsIn(place, state.sessionId);
    if (present && state.active && isSameLoop(shownState(present), state)) {
      setIteration(place, present.id, state.iteration);
      return true;
    }
    if (present) stop(place, present);
    if (state.active) keepState(place, state);
    return true;
  });
}

/** Stops the active loops of a folder. False: it could not. */
export function clearState(workdir: string, stateDir?: string): boolean {
  const place = placeIn(workdir, stateDir);
  return trying("clear", false, () => {
    for (const loop of loopsIn(place)) stop(place, loop);
    return true;
  });
}

/** The latest active loop of a folder begins its next iteration. Null: there is none, or it could not. */
export function incrementIteration(workdir: string, stateDir?: string): RalphLoopState | null {
  const place = placeIn(workdir, stateDir);
  return trying("write", null, () => {
    const [latest] = loopsIn(place);
    if (!latest) return null;
    setIteration(place, latest.id, latest.state.n + 1);
    return readState(workdir, stateDir);
  });
}

function loopsIn(place: LibraryPlace, sessionId?: string): KeptLoop[] {
  importState(place, processWarning);
  return activeLoops(place, sessionId);
}

const stop = (place: LibraryPlace, loop: KeptLoop): void =>
  openKeeper(place, processWarning, () => undefined).stopNow(loop, {
    as: "cancelled",
    by: "a program, through its state",
  });

const isSameLoop = (is: RalphLoopState, wanted: RalphLoopState): boolean =>
  is.prompt === wanted.prompt &&
  is.completionPromise === wanted.completionPromise &&
  is.maxIterations === wanted.maxIterations;

function trying<T>(what: string, otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    processWarning(what === "read" ? "warn" : "error", `Failed to ${what} state: ${messageOf(error)}`);
    return otherwise;
  }
}
