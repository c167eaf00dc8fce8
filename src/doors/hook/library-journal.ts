import { existsSync, realpathSync } from "node:fs";
import { locationsOf } from "../../adapters/io/checkouts.ts";
import { takeLeaseNow } from "../../adapters/store/lease.ts";
import { located } from "../../adapters/store/located.ts";
import { type OpenJournal, openJournal } from "../../adapters/store/sqlite-store.ts";
import { stateFolderIn } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import type { StopRequest } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { type LoopSummary, stopOf } from "../../core/store.ts";
import type { KeptLoop } from "./keeper.ts";
import { LIBRARY, type LibraryPlace } from "./library-start.ts";
import { stopAtOnce } from "./stop-sync.ts";

/** The folder as everybody calls it. */
export const placeIn = (workdir: string, stateDir: string | undefined): LibraryPlace => ({
  cwd: existsSync(workdir) ? realpathSync(workdir) : workdir,
  stateDir,
});

/** Looks into the journal, or answers `otherwise` where there is none. */
export function inJournal<T>({ cwd, stateDir }: LibraryPlace, otherwise: T, look: (journal: OpenJournal) => T): T {
  if (!existsSync(cwd)) return otherwise;
  const folder = stateFolderIn(cwd, stateDir);
  if (!existsSync(folder.database)) return otherwise;
  const journal = located(openJournal(folder.database), locationsOf(folder, cwd, false));
  try {
    return look(journal);
  } finally {
    journal.close();
  }
}

/** The active loops of the library in a folder, the latest first; those of one session where one is named. */
export function activeLoops(place: LibraryPlace, sessionId?: string): KeptLoop[] {
  return inJournal(place, [], (journal) =>
    journal
      .summaries({ active: true, ...(sessionId === undefined ? {} : { session: sessionId }) })
      .filter((summary) => isOurs(summary, place))
      .filter(({ id }) => !isAskedToStop(journal, place, id))
      .flatMap(({ id, sessionId }) => {
        const state = stateIn(journal, id);
        return state ? [{ id, sessionId: sessionId ?? "", state }] : [];
      }),
  );
}

/** Null where its journal is damaged: nothing goes on from that, and the other loops do. */
function stateIn(journal: OpenJournal, id: string): LoopState | null {
  try {
    return journal.glance(id).state;
  } catch (error) {
    if (error instanceof RalphError && error.code === "journal-damaged") return null;
    throw error;
  }
}

const isOurs = ({ door, driver, cwd, host }: LoopSummary, place: LibraryPlace): boolean =>
  door === "hook" && driver === "host" && cwd === place.cwd && host === LIBRARY;

/** A request that came when somebody was just done with the loop is fulfilled by whoever finds it. */
function isAskedToStop(journal: OpenJournal, place: LibraryPlace, id: string): boolean {
  const [request] = journal.requests(id);
  if (request) stopUnheld(journal, place, id, stopOf(request));
  return request !== undefined;
}

/** Stops a loop unless somebody is at it. */
export const stopUnheld = (journal: OpenJournal, place: LibraryPlace, id: string, request: StopRequest): boolean =>
  unlessHeld(place, id, () => stopAtOnce(journal, id, request));

/** Does something to a loop while nobody else can. False: somebody is at it, or it could not be done. */
export function unlessHeld({ cwd, stateDir }: LibraryPlace, id: string, work: () => boolean): boolean {
  const lease = takeLeaseNow(stateFolderIn(cwd, stateDir).leases, id);
  if (!lease) return false;
  try {
    return work();
  } finally {
    lease.release();
  }
}
