import { messageOf } from "../../../core/errors.ts";
import type { RalphLoopState } from "./contract.ts";
import { openJournalLoops } from "./journal-loops.ts";
import { activeLoops, placeIn } from "./journal-now.ts";
import { type LibraryLoop, shownState } from "./loop-port.ts";
import { processWarning } from "./services.ts";
import type { LibraryPlace } from "./start-in-journal.ts";
import { importState, keepState, setIteration } from "./state-import.ts";

/** The latest active loop of a folder; null if there is none. */
export function readState(workdir: string, stateDir?: string): RalphLoopState | null {
  const place = placeIn(workdir, stateDir);
  return trying("read", null, () => {
    const [latest] = loopsIn(place);
    return latest ? shownState(latest) : null;
  });
}

/** Journals that a session has this loop, and its iteration. False on an error. */
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

/** Stops the active loops of a folder. False on an error. */
export function clearState(workdir: string, stateDir?: string): boolean {
  const place = placeIn(workdir, stateDir);
  return trying("clear", false, () => {
    for (const loop of loopsIn(place)) stop(place, loop);
    return true;
  });
}

/** Moves the latest active loop of a folder to its next iteration. Null if there is none, or on an error. */
export function incrementIteration(workdir: string, stateDir?: string): RalphLoopState | null {
  const place = placeIn(workdir, stateDir);
  return trying("write", null, () => {
    const [latest] = loopsIn(place);
    if (!latest) return null;
    setIteration(place, latest.id, latest.state.n + 1);
    return readState(workdir, stateDir);
  });
}

function loopsIn(place: LibraryPlace, sessionId?: string): LibraryLoop[] {
  importState(place, processWarning);
  return activeLoops(place, sessionId);
}

const stop = (place: LibraryPlace, loop: LibraryLoop): void =>
  openJournalLoops(place, processWarning, () => undefined).stopNow(loop, {
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
